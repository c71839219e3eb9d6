import { expect, test } from "vitest";
import { blog, survey } from "#app/switches.ts";
import { explainProblems, readSettings } from "#scripts/deploy/settings.ts";
import { requiredSettings as required } from "#tests/support/cloudflare/deployment.ts";

const messages = (changes: Record<string, string>) =>
  explainProblems(readSettings("", { ...required, ...changes }).problems);

test.each([
  "$(touch /tmp/owned)",
  "`id`; rm -rf .",
  '"]\n[vars]\nLINK_SECRET = "x',
  '", "main": "evil.js", "x": "',
  "'''\n[build]\ncommand = \"id\"\n'''",
  "--config /etc/passwd",
  "$HOME %PATH% !x",
  "Ａｄａ\u200c Мaker 👩\u200d👧",
])("a name that looks like a command, JSON or TOML stays text: %j", (name) => {
  const { settings, problems } = readSettings("", { ...required, CONTROLLER_NAME: name });
  expect(problems).toEqual([]);
  expect(settings).toEqual({ vars: { ...required, CONTROLLER_NAME: name }, secrets: {}, account: {} });
});

const invisible = ["\u0000", "\u001b[2J", "\u0007", "\u2028", "\u202e", "\u2066", "\ufeffx\ufeff"];

test.each(Object.entries({ ...required, OWNER_EMAIL: "ada@market.test" }))(
  "%s with a character that cannot be seen is refused, and not printed",
  (name, value) => {
    for (const sign of invisible) {
      const message = messages({ [name]: `${value}${sign}x` });
      expect(message, JSON.stringify(sign)).toMatch(new RegExp(`^  ${name} `));
      expect(message).not.toContain(sign);
    }
  },
);

/** Without the survey, its variable has no effect. */
const surveys = survey
  ? ["https://forms.test;sandbox", "https://a.test,default-src", "https://*", "https://a:b@c.test"]
  : [];

test.each<[name: string, value: string]>([
  ...surveys.map((url): [string, string] => ["SURVEY_URL", url]),
  ["SITE_URL", "https://market.test;script-src"],
  ["SITE_URL", "https://*.market.test"],
  ["SITE_URL", "https://ada:secret@market.test"],
  ["SITE_URL", "hｔtps://market.test"],
  ["LAUNCH_URL", "https://app.test/\nSet-Cookie:x=1"],
  ["LAUNCH_URL", "https://app.test/a b"],
  ["SUPPORT_URL", "javascript:alert(1)"],
  ["FACEBOOK_URL", "ｊavascript:alert(1)"],
  ["RESEND_URL", "https://api.test;x"],
  // No request could be made with these.
  ["RESEND_API_KEY", "re_abc\nX-Header: 1"],
  ["RESEND_API_KEY", "re_аbc"],
  ["RESEND_API_KEY", "re_ab\u200bc"],
  ["TURNSTILE_SECRET", "0x4 AAA"],
  ["TURNSTILE_SITE_KEY", "0x4AAA–"],
  ["RESEND_WEBHOOK_SECRET", "whsec_===================="],
  ["RESEND_WEBHOOK_SECRET", "whsec_AAAAAAAAAAAAAAAAAAAAA"],
  ["GA_MEASUREMENT_ID", "G-АBC123DEF4"],
  ["CONFIRM_ADDRESSES", "оn"],
  ["MAIL_PER_HOUR", "５００x"],
  ...(blog ? ([["GHOST_URL", "https://blog.test;x"]] as [string, string][]) : []),
])("%s=%j is refused", (name, value) => expect(messages({ [name]: value })).toContain(`  ${name} must be`));

test("an address in another alphabet is allowed", () => {
  expect(messages({ SITE_URL: "https://bücher.test", SURVEY_URL: "https://förms.test/ä" })).toBe("");
});

test("a value that is larger than Cloudflare stores is refused before anything is built", () => {
  expect(messages({ CONTROLLER_ADDRESS: "ä".repeat(2_501) })).toContain("CONTROLLER_ADDRESS is longer than the 5 KB");
  expect(messages({ CONTROLLER_ADDRESS: "ä".repeat(2_500) })).toBe("");
});

test("a file cannot send the token to another address of the API", () => {
  const file = "CLOUDFLARE_API_BASE_URL=https://evil.test\nCLOUDFLARE_API_TOKEN=t\nCLOUDFLARE_ACCOUNT_ID=a\n";
  const text = explainProblems(readSettings(file, required).problems);
  expect(text).toBe("  CLOUDFLARE_API_BASE_URL is not a setting of this site; deploy.env.example lists them all.");
});
