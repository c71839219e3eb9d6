import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";
import type { Config } from "#app/server/config/config.server.ts";
import { blog, survey } from "#app/switches.ts";
import { explainProblems, isSecret, readSettings } from "#scripts/deploy/settings.ts";
import { root } from "#scripts/lib/commands.ts";
import { localVars } from "#scripts/lib/local-vars.ts";
import { requiredSettings as required } from "#tests/support/cloudflare/deployment.ts";

function messages(changes: Record<string, string>): string {
  const file = Object.entries({ ...required, ...changes }).map(([name, value]) => `${name}="${value}"`);
  return explainProblems(readSettings(file.join("\n"), {}).problems);
}

test("the required variables are enough", () => expect(messages({})).toBe(""));

test("those that are missing are named and described, all at once", () => {
  expect(explainProblems(readSettings("MAIL_FROM=x", {}).problems).split("\n")).toEqual([
    expect.stringMatching(/^ {2}SITE_URL is not set\. It is the address of your site/),
    expect.stringMatching(/^ {2}CONTACT_EMAIL is not set\. It is the contact address/),
    expect.stringMatching(/^ {2}CONTROLLER_NAME is not set\. It is the name of the person or company/),
    expect.stringMatching(/^ {2}CONTROLLER_ADDRESS is not set\. It is the postal address/),
    expect.stringMatching(/^ {2}MAIL_FROM must be/),
  ]);
});

/** A plausible wrong value, and the message about it. */
const wrong: Record<keyof Config, [value: string, message: string]> = {
  SITE_URL: ["market.test", "must be an origin such as https://example.com, with no path"],
  CONTACT_EMAIL: ["hello at market.test", "must be an email address"],
  REPLY_TO: ["nobody", "must be an email address"],
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

/** Without the blog or the survey, their variables have no effect. */
const ignored = [...(blog ? [] : ["GHOST_URL", "GHOST_CONTENT_KEY"]), ...(survey ? [] : ["SURVEY_URL"])];
const isUsed = ([name]: readonly [string, ...unknown[]]) => !ignored.includes(name);

test.each(Object.entries(wrong).filter(isUsed))("%s=%j is rejected by name", (name, [value, message]) => {
  const about = messages({ [name]: value })
    .split("\n")
    .filter((line) => line.startsWith(`  ${name} `));
  expect(about).toEqual([expect.stringContaining(`${name} ${message}`)]);
  // A mistyped secret must not appear on a screen or in a build log.
  if (isSecret(name)) expect(about[0]).not.toContain("hunter2");
});

const pairs: [string, string, string][] = [
  ["GHOST_URL", "https://blog.test", "GHOST_CONTENT_KEY"],
  ["GHOST_CONTENT_KEY", "abc123", "GHOST_URL"],
  ["TURNSTILE_SITE_KEY", "0x4AAA", "TURNSTILE_SECRET"],
  ["TURNSTILE_SECRET", "0x4BBB", "TURNSTILE_SITE_KEY"],
];

test.each(pairs.filter(isUsed))("%s=%s alone is rejected: %s is missing", (name, value, partner) => {
  expect(messages({ [name]: value })).toContain(`  ${partner} must be set together with ${name}.`);
});

test.each([
  ["LAUNCH_URL", "https://market.test/app", "is an address of this site itself"],
  ["SITE_URL", "https://localhost", ""],
  ["SITE_URL", "http://127.0.0.1:8787", ""],
  ["SITE_URL", "https://www.waitlist-site.example", ""],
  ["SITE_URL", "http://market.test", ""],
  ["OWNER_EMAIL", "owner@waitlist-site.example", "replace it with your own"],
  ["CONTACT_EMAIL", localVars(8787)["CONTACT_EMAIL"] ?? "", "replace it with your own"],
  ["CONTROLLER_ADDRESS", localVars(8787)["CONTROLLER_ADDRESS"] ?? "", "replace it with your own"],
  ["SUVREY_URL", "https://forms.test", "is not a setting of this site"],
])("%s=%s is rejected", (name, value, message) => {
  expect(messages({ [name]: value })).toMatch(new RegExp(`^  ${name} [^\n]*${message}[^\n]*$`));
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

test("the environment takes precedence over deploy.env, and that over wrangler.toml; the three kinds are separated", () => {
  const configured = { ...required, SITE_URL: "", CONTACT_EMAIL: "toml@market.test", CONTROLLER_NAME: "Of the toml" };
  const file =
    "SITE_URL=https://market.test\nCONTACT_EMAIL=file@market.test\nCONTROLLER_ADDRESS=\nRESEND_API_KEY=re_1\n";
  const environment = { CONTACT_EMAIL: "ci@market.test", CLOUDFLARE_API_TOKEN: "t", PATH: "/bin", UNRELATED: "x" };
  expect(readSettings(file, environment, configured)).toEqual({
    settings: {
      vars: { ...required, CONTACT_EMAIL: "ci@market.test", CONTROLLER_NAME: "Of the toml" },
      secrets: { RESEND_API_KEY: "re_1" },
      account: { CLOUDFLARE_API_TOKEN: "t" },
    },
    problems: [],
  });
  expect(explainProblems(readSettings("", {}, { ...required, SUVREY_URL: "x" }).problems)).toContain("SUVREY_URL");
});

test(".dev.vars.example has the required variables, all commented out: Deploy to Cloudflare would ask for the others", () => {
  const example = readFileSync(join(root, ".dev.vars.example"), "utf8");
  expect(parseEnv(example)).toEqual({});
  const uncommented = parseEnv(example.replace(/^# (?=[A-Z_]+=)/gm, ""));
  expect(Object.keys(uncommented).toSorted()).toEqual([...Object.keys(required), "HASH_KEY", "LINK_SECRET"].toSorted());
});

test("wrangler.toml has the required settings without values, and package.json describes them", () => {
  const { vars } = unstable_readConfig({ config: join(root, "wrangler.toml") });
  expect(vars).toEqual({ SITE_URL: "", CONTACT_EMAIL: "", CONTROLLER_NAME: "", CONTROLLER_ADDRESS: "" });
  const { cloudflare } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const name of Object.keys(required)) expect(cloudflare.bindings[name].description, name).toMatch(/^The .*\.$/);
});
