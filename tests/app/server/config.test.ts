import { describe, expect, test } from "vitest";
import { describeProblems, parseConfig } from "#app/server/config/config.server.ts";
import { readOwnerAddresses } from "#app/server/config/config-values.server.ts";
import { localSecrets } from "#app/server/config/local-secrets.server.ts";
import { needs } from "#tests/support/pool/start.ts";

const required = {
  SITE_URL: "https://waitlist-site.example",
  CONTACT_EMAIL: "hello@waitlist-site.example",
  CONTROLLER_NAME: "The owner",
  CONTROLLER_ADDRESS: "1 Market Square",
  HASH_KEY: "abcdef0123456789abcdef0123456789",
  LINK_SECRET: "0123456789abcdef0123456789abcdef",
};

test("the required variables are sufficient; unknown names are ignored, and empty optional variables are unset", () => {
  expect(parseConfig({ ...required, DB: {}, HOME: "/root", SUPPORT_URL: "" })).toEqual({
    config: required,
    problems: [],
  });
});

describe("a secret that this project publishes", () => {
  const names = ["HASH_KEY", "LINK_SECRET", "LINK_SECRET_PREVIOUS"];
  const cases = names.flatMap((name) => Object.values(localSecrets).map((value) => [name, value] as const));

  test.each(cases)("is refused as %s of a public site: %s", (name, value) => {
    for (const SITE_URL of ["https://stalls.site", "https://waitlist.owner.workers.dev", "https://www.example.com"]) {
      const { config, problems } = parseConfig({ ...required, [name]: ` ${value}`, SITE_URL });
      const fatal = name !== "LINK_SECRET_PREVIOUS";
      expect(problems).toEqual([{ name, problem: expect.stringContaining("is published"), fatal }]);
      expect(config).toEqual(fatal ? null : { ...required, SITE_URL });
      expect(describeProblems(problems)).not.toContain(value);
    }
  });

  test.each([
    "http://localhost:8787",
    "http://127.0.0.1:8787",
    "http://[::1]:8787",
    "http://192.168.1.5:8787",
    required.SITE_URL,
  ])("serves %s", (SITE_URL) => {
    expect(parseConfig({ ...required, ...localSecrets, SITE_URL }).problems).toEqual([]);
  });
});

test("Turnstile needs both keys; a single one is dropped and the missing one reported", () => {
  const both = { TURNSTILE_SITE_KEY: "1x0", TURNSTILE_SECRET: "2x0" };
  expect(parseConfig({ ...required, ...both })).toEqual({ config: { ...required, ...both }, problems: [] });
  for (const [name, other] of [Object.keys(both), Object.keys(both).toReversed()] as [string, string][]) {
    expect(parseConfig({ ...required, [other]: "1x0" })).toEqual({
      config: required,
      problems: [{ name, problem: `must be set together with ${other}`, fatal: false }],
    });
  }
});

test.each([
  ["SITE_URL", "https://Waitlist-Site.example/", "https://waitlist-site.example"],
  ["MAIL_PER_HOUR", "250", 250],
  ["MAIL_PER_HOUR", 250, 250],
  ["DISPOSABLE_ALLOWED", "Maildrop.cc, yopmail.com", ["maildrop.cc", "yopmail.com"]],
  ["WORKERS_PLAN", "paid", "paid"],
  ["OWNER_TIME_ZONE", "Asia/Kathmandu", "Asia/Kathmandu"],
])("%s=%j is read as %j", (name, given, value) => {
  expect(parseConfig({ ...required, [name]: given })).toEqual({ config: { ...required, [name]: value }, problems: [] });
});

test.each(Object.keys(required))("without %s there is no configuration", (name) => {
  const { config, problems } = parseConfig({ ...required, [name]: undefined });
  expect(config).toBeNull();
  expect(describeProblems(problems)).toBe(`${name}: is not set`);
});

test.each([
  ["SITE_URL", "waitlist-site.example"],
  ["SITE_URL", "https://waitlist-site.example/home"],
  ["SITE_URL", "ftp://waitlist-site.example"],
  ["CONTACT_EMAIL", "hello"],
  ["CONTACT_EMAIL", "hello@waitlist-site.example\nBcc: eve@example.com"],
  ["CONTROLLER_NAME", "   "],
  ["LINK_SECRET", "too-short"],
  ["HASH_KEY", "too-short"],
])("a malformed required variable, %s=%j, is reported as fatal", (name, value) => {
  const { config, problems } = parseConfig({ ...required, [name]: value });
  expect(config).toBeNull();
  expect(problems).toEqual([{ name, problem: expect.stringMatching(/^must /), fatal: true }]);
});

describe("OWNER_EMAIL", () => {
  test.each([
    ["ada@example.com", ["ada@example.com"]],
    ["Ada@Example.com,bob@example.com", ["ada@example.com", "bob@example.com"]],
    [" ada@example.com ,\n bob@bücher.example, ", ["ada@example.com", "bob@xn--bcher-kva.example"]],
    ["ada@example.com, ADA@example.com.", ["ada@example.com"]],
  ])("%j is a list of addresses", (value, addresses) => {
    expect(parseConfig({ ...required, OWNER_EMAIL: value })).toEqual({
      config: { ...required, OWNER_EMAIL: addresses },
      problems: [],
    });
    expect(readOwnerAddresses(value)).toEqual(addresses);
  });

  test.each([
    ["ada@example.com, bob", "bob"],
    ["ada@example.com bob@example.com", "ada@example.com bob@example.com"],
    ["ada@example.com; bob@example.com", "ada@example.com; bob@example.com"],
    ["@example.com,bob@example.com", "@example.com"],
    [",", ","],
  ])("%j names the part that is no address", (value, part) => {
    const { config, problems } = parseConfig({ ...required, OWNER_EMAIL: value });
    expect(config).toEqual(required);
    const problem = `must be email addresses, separated by commas; "${part}" is not one`;
    expect(problems).toEqual([{ name: "OWNER_EMAIL", problem, fatal: false }]);
    expect(readOwnerAddresses(value)).toEqual([]);
  });
});

test.each([
  ["SUPPORT_URL", "http://coffee.example/us"],
  ["SUPPORT_URL", "javascript:alert(1)"],
  ["FACEBOOK_URL", "//facebook.example"],
  ["MAIL_FROM", "Ada Maker"],
  ["LINK_SECRET_PREVIOUS", "too-short"],
  ["RESEND_URL", "resend.example"],
  ["MAIL_PER_HOUR", "many"],
  ["MAIL_PER_HOUR", "0"],
  ["MAIL_PER_HOUR", "1.5"],
  ["OWNER_EMAIL", "me"],
  ["WORKERS_PLAN", "Paid"],
  ["OWNER_TIME_ZONE", "Mars/Olympus"],
  ["OWNER_TIME_ZONE", " "],
  ["OWNER_TIME_ZONE", "+25:00"],
  ["GA_MEASUREMENT_ID", "UA-12345-1"],
  ["GA_MEASUREMENT_ID", "G-ABC'+alert(1)+'"],
  ["CF_BEACON_TOKEN", "\"}'><script>"],
])("a malformed optional variable, %s=%j, is dropped and reported; the rest is kept", (name, value) => {
  const { config, problems } = parseConfig({ ...required, [name]: value });
  expect(config).toEqual(required);
  expect(problems).toEqual([{ name, problem: expect.stringMatching(/^must /), fatal: false }]);
});

describe("the Ghost blog", () => {
  needs("blog");

  const key = "22444f78447824223cefc48062";

  test.each([
    ["https://blog.example/", "https://blog.example"],
    ["https://blog.example/news/", "https://blog.example/news"],
    ["http://localhost:2368", "http://localhost:2368"],
    ["http://192.168.0.7:2368", "http://192.168.0.7:2368"],
    ["http://ghost:2368", "http://ghost:2368"],
  ])("%s becomes %s", (given, normalised) => {
    const { config, problems } = parseConfig({ ...required, GHOST_URL: given, GHOST_CONTENT_KEY: key });
    expect(config).toEqual({ ...required, GHOST_URL: normalised, GHOST_CONTENT_KEY: key });
    expect(problems).toEqual([]);
  });

  test.each([
    "http://blog.example",
    "blog.example",
    "ftp://blog.example",
    "javascript:alert(1)",
    "https://ada:secret@blog.example",
    "https://blog.example/?key=1",
  ])("GHOST_URL=%s is dropped and reported, and the key is dropped too", (url) => {
    const { config, problems } = parseConfig({ ...required, GHOST_URL: url, GHOST_CONTENT_KEY: key });
    expect(config).toEqual(required);
    expect(problems).toEqual([{ name: "GHOST_URL", problem: expect.stringMatching(/^must be /), fatal: false }]);
  });

  test.each([
    ["GHOST_URL", "https://blog.example", "GHOST_CONTENT_KEY"],
    ["GHOST_CONTENT_KEY", key, "GHOST_URL"],
  ])("%s alone is dropped, and the missing variable is reported", (name, value, missing) => {
    const { config, problems } = parseConfig({ ...required, [name]: value });
    expect(config).toEqual(required);
    expect(describeProblems(problems)).toBe(`${missing}: must be set together with ${name}`);
  });
});
