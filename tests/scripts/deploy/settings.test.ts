import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";
import { type Config, parseConfig, variables } from "#app/server/config.server.ts";
import { localSecrets } from "#app/server/local-secrets.server.ts";
import { explainProblems, isSecret, readSettings } from "#scripts/deploy/settings.ts";
import { generatedSecrets } from "#scripts/deploy/settings-file.ts";
import { root } from "#scripts/lib/commands.ts";
import { localVars } from "#scripts/lib/local-vars.ts";
import { needs } from "#tests/support/pool/needs.ts";
import type { Switch } from "#tests/support/switched-off.ts";

const required = {
  SITE_URL: "https://market.test",
  CONTACT_EMAIL: "hello@market.test",
  CONTROLLER_NAME: "Ada Maker",
  CONTROLLER_ADDRESS: "1 Market Square, Town",
};

function messages(changes: Record<string, string>, environment: Record<string, string> = {}): string {
  const file = Object.entries({ ...required, ...changes }).map(([name, value]) => `${name}="${value}"`);
  return explainProblems(readSettings(file.join("\n"), environment).problems);
}

test("the required variables are enough", () => expect(messages({})).toBe(""));

test.each(Object.keys(required))("a missing %s is named and described", (name) => {
  expect(messages({ [name]: "" })).toBe(`  ${name} is not set. It is ${variables[name as keyof Config].is}.`);
});

/** A plausible wrong value, and the message about it. */
const wrong: Record<keyof Config, [value: string, message: string]> = {
  SITE_URL: ["market.test", "must be an origin such as https://example.com, with no path"],
  CONTACT_EMAIL: ["hello at market.test", "must be an email address"],
  CONTROLLER_NAME: ["   ", "must not be blank"],
  CONTROLLER_ADDRESS: ["   ", "must not be blank"],
  HASH_KEY: ["hunter2", "must have at least 32 characters"],
  LINK_SECRET: ["hunter2", "must have at least 32 characters"],
  LINK_SECRET_PREVIOUS: ["hunter2", "must have at least 32 characters"],
  MAIL_FROM: ["Ada Maker", "must be an email address"],
  MAIL_PER_HOUR: ["many", "must be a whole number above 0"],
  OWNER_EMAIL: ["ada@market.test, bob", 'must be email addresses, separated by commas; "bob" is not one'],
  OWNER_TIME_ZONE: ["Europe/Exampleton", "must be a time zone such as Europe/London"],
  RESEND_API_KEY: ["   ", "must not be blank"],
  RESEND_WEBHOOK_SECRET: ["hunter2", "must be a signing secret such as whsec_…"],
  EXAMPLE_ADDRESSES: ["on", "must be send or refuse"],
  CONFIRM_ADDRESSES: ["yes", "must be on or off"],
  DISPOSABLE: ["delete", "must be mark or refuse"],
  DISPOSABLE_ALLOWED: ["not a domain", "must be domains such as example.com, separated by commas"],
  RESEND_URL: ["resend", "must be an origin such as https://example.com, with no path"],
  TURNSTILE_SITE_KEY: ["   ", "must not be blank"],
  TURNSTILE_SECRET: ["   ", "must not be blank"],
  TURNSTILE_URL: ["turnstile", "must be an origin such as https://example.com, with no path"],
  LAUNCH_URL: ["http://app.market.test", "must be an https:// address"],
  SURVEY_URL: ["http://forms.test/1", "must be an https:// address"],
  SUPPORT_URL: ["coffee.test/ada", "must be an https:// address"],
  FACEBOOK_URL: ["@ada", "must be an https:// address"],
  GHOST_URL: ["blog.test", "must be an https:// address without a query"],
  GHOST_CONTENT_KEY: ["a key", "must be a Content API key, of letters and digits"],
  GA_MEASUREMENT_ID: ["UA-12345-1", "must be a measurement id such as G-ABC123DEF4"],
  META_PIXEL_ID: ["pixel", "must be the digits of a pixel's id"],
  RENDER_CACHE: ["no", "must be on or off"],
  WARM_UP: ["no", "must be on or off"],
  WORKERS_PLAN: ["cheap", "must be free or paid"],
  CF_BEACON_TOKEN: ["{token}", "must be a site token of letters and digits"],
};

/** Switches without which a variable has no effect. */
const switchesOf: Record<string, Switch[]> = {
  GHOST_URL: ["blog"],
  GHOST_CONTENT_KEY: ["blog"],
  SURVEY_URL: ["survey"],
};

describe.each(Object.entries(wrong))("%s=%j", (name, [value, message]) => {
  needs(...(switchesOf[name] ?? []));

  test("is rejected by name", () => {
    const lines = messages({ [name]: value }).split("\n");
    const about = lines.filter((line) => line.startsWith(`  ${name} `));
    expect(about).toHaveLength(1);
    expect(about[0]).toContain(`${name} ${message}`);
    expect(about[0]).toContain(`It is ${variables[name as keyof Config].is}.`);
    // A mistyped secret must not appear on a screen or in a build log.
    if (value.trim() !== "" && isSecret(name)) expect(about[0]).not.toContain(value);
  });
});

test("a LAUNCH_URL on this site is rejected, and one on another host is not", () => {
  expect(messages({ LAUNCH_URL: "https://market.test/app" })).toContain("LAUNCH_URL is an address of this site itself");
  expect(messages({ LAUNCH_URL: "https://app.market.test/" })).toBe("");
});

describe.each([
  ["GHOST_URL", "https://blog.test", "GHOST_CONTENT_KEY"],
  ["GHOST_CONTENT_KEY", "abc123", "GHOST_URL"],
  ["TURNSTILE_SITE_KEY", "0x4AAA", "TURNSTILE_SECRET"],
  ["TURNSTILE_SECRET", "0x4BBB", "TURNSTILE_SITE_KEY"],
])("%s alone", (name, value, partner) => {
  needs(...(switchesOf[name] ?? []));

  test("is rejected for its missing partner", () => {
    expect(messages({ [name]: value })).toContain(`  ${partner} must be set together with ${name}.`);
  });
});

const local = Object.entries(localVars(8787)).filter(([name]) => name !== "MAIL_PER_HOUR");

test.each(local)("the local value of %s is rejected", (name, value) => {
  expect(messages({ [name]: value })).toMatch(new RegExp(`^  ${name} .*your own`));
});

test("a secret that this project publishes is rejected under any name and with any address, once", () => {
  const { HASH_KEY = "", LINK_SECRET = "" } = localVars(8787);
  for (const SITE_URL of ["https://market.test", "https://market.example", "https://stalls.site"]) {
    const said = messages({ SITE_URL, HASH_KEY: LINK_SECRET, LINK_SECRET_PREVIOUS: HASH_KEY }).split("\n");
    expect(said).toEqual([
      expect.stringMatching(/^ {2}HASH_KEY has a value that is published/),
      expect.stringMatching(/^ {2}LINK_SECRET_PREVIOUS has a value that is published/),
    ]);
  }
});

test.each([
  ["SITE_URL", "https://localhost"],
  ["SITE_URL", "http://127.0.0.1:8787"],
  ["SITE_URL", "https://www.waitlist-site.example"],
  ["SITE_URL", "http://market.test"],
  ["OWNER_EMAIL", "owner@waitlist-site.example"],
])("%s=%s is rejected, because it only works locally", (name, value) => {
  expect(messages({ [name]: value })).toMatch(new RegExp(`^  ${name} [^\n]*$`));
});

test("an unknown name is rejected, so that a typo cannot silently turn a feature off", () => {
  expect(messages({ SUVREY_URL: "https://forms.test" })).toContain("SUVREY_URL is not a setting of this site");
});

test("all problems are reported at once", () => {
  expect(messages({ SITE_URL: "", MAIL_FROM: "x" }).split("\n")).toHaveLength(2);
});

test("variables, secrets and the account are separated; the environment takes precedence over the file", () => {
  const environment = { CONTACT_EMAIL: "ci@market.test", CLOUDFLARE_API_TOKEN: "t", PATH: "/bin", UNRELATED: "x" };
  const file = `${Object.entries(required)
    .map(([name, value]) => `${name}="${value}"`)
    .join("\n")}\nRESEND_API_KEY=re_1\nSURVEY_URL=\n`;
  expect(readSettings(file, environment)).toEqual({
    settings: {
      vars: { ...required, CONTACT_EMAIL: "ci@market.test" },
      secrets: { RESEND_API_KEY: "re_1" },
      account: { CLOUDFLARE_API_TOKEN: "t" },
    },
    problems: [],
  });
});

test("the variables in wrangler.toml count where neither deploy.env nor the environment sets them", () => {
  const configured = {
    ...required,
    SITE_URL: "",
    CONTACT_EMAIL: "toml@market.test",
    CONTROLLER_NAME: "From wrangler.toml",
  };
  const { settings, problems } = readSettings(
    "SITE_URL=https://market.test\nCONTACT_EMAIL=file@market.test\nCONTROLLER_ADDRESS=\n",
    { CONTACT_EMAIL: "ci@market.test" },
    configured,
  );
  expect(problems).toEqual([]);
  expect(settings.vars).toEqual({
    ...required,
    CONTACT_EMAIL: "ci@market.test",
    CONTROLLER_NAME: "From wrangler.toml",
  });
  expect(explainProblems(readSettings("", {}, { ...required, SUVREY_URL: "x" }).problems)).toContain("SUVREY_URL");
});

test("deploy.env.example lists every variable, without values", () => {
  const example = parseEnv(readFileSync(join(root, "deploy.env.example"), "utf8"));
  const names = Object.keys(example).filter((name) => !name.startsWith("CLOUDFLARE_"));
  expect(names.toSorted()).toEqual(Object.keys(variables).toSorted());
  expect(Object.values(example).every((value) => value === "")).toBe(true);
});

test(".dev.vars.example has the required variables, all commented out: Deploy to Cloudflare would ask for the others", () => {
  const example = readFileSync(join(root, ".dev.vars.example"), "utf8");
  expect(parseEnv(example)).toEqual({});
  const uncommented = parseEnv(example.replace(/^# (?=[A-Z_]+=)/gm, ""));
  expect(Object.keys(uncommented).toSorted()).toEqual([...Object.keys(required), ...generatedSecrets].toSorted());
  expect(parseConfig(uncommented).problems).toEqual([]);
  expect(uncommented).toMatchObject(localSecrets);
});

test("wrangler.toml has the required settings without values, and package.json describes them", () => {
  const { vars } = unstable_readConfig({ config: join(root, "wrangler.toml") });
  expect(vars).toEqual(Object.fromEntries(Object.keys(required).map((name) => [name, ""])));
  const { cloudflare } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { DB: _db, CACHE: _cache, ...bindings } = cloudflare.bindings;
  const described = Object.keys(required).map((name) => {
    const { is } = variables[name as keyof Config];
    return [name, { description: `${is.charAt(0).toUpperCase()}${is.slice(1)}.` }];
  });
  expect(bindings).toEqual(Object.fromEntries(described));
});

test("docs/configuration.md lists every variable and marks the secret ones", () => {
  const page = readFileSync(join(root, "docs", "configuration.md"), "utf8");
  for (const name of Object.keys(variables)) expect(page, name).toContain(`\`${name}\``);
  const secrets = [...page.matchAll(/`([A-Z_]+)` \(secret\)/g)].map(([, name]) => name);
  expect(secrets.toSorted()).toEqual(Object.keys(variables).filter(isSecret).toSorted());
});
