import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { emailQueue } from "#scripts/deploy/email-queue.ts";
import { explainProblems, readSettings } from "#scripts/deploy/settings.ts";
import { replaceLinkSecret, saveSecrets } from "#scripts/deploy/settings-file.ts";
import { needs } from "#tests/support/pool/needs.ts";

const required = {
  SITE_URL: "https://market.test",
  CONTACT_EMAIL: "hello@market.test",
  CONTROLLER_NAME: "Ada Maker",
  CONTROLLER_ADDRESS: "1 Market Square, Town",
};

const messages = (changes: Record<string, string>) =>
  explainProblems(readSettings("", { ...required, ...changes }).problems);

describe("a name that looks like a command, JSON or TOML stays text", () => {
  test.each([
    "$(touch /tmp/owned)",
    "`id`; rm -rf .",
    '"]\n[vars]\nLINK_SECRET = "x',
    '", "main": "evil.js", "x": "',
    "'''\n[build]\ncommand = \"id\"\n'''",
    "--config /etc/passwd",
    "$HOME %PATH% !x",
    "Ａｄａ\u200c Мaker 👩\u200d👧",
  ])("%j", (name) => {
    const { settings, problems } = readSettings("", { ...required, CONTROLLER_NAME: name });
    expect(problems).toEqual([]);
    expect(settings).toEqual({ vars: { ...required, CONTROLLER_NAME: name }, secrets: {}, account: {} });
    expect(JSON.parse(JSON.stringify(settings.vars)).CONTROLLER_NAME).toBe(name);
  });
});

const invisible = ["\u0000", "\u001b[2J", "\u0007", "\u2028", "\u202e", "\u2066", "\ufeffx\ufeff"];

test.each([...Object.keys(required), "OWNER_EMAIL"])(
  "%s with a character that cannot be seen is refused, and not printed",
  (name) => {
    for (const sign of invisible) {
      const value = `${{ ...required, OWNER_EMAIL: "ada@market.test" }[name]}${sign}x`;
      expect(messages({ [name]: value }), JSON.stringify(sign)).toMatch(new RegExp(`^  ${name} `));
      expect(messages({ [name]: value })).not.toContain(sign);
    }
  },
);

describe("addresses", () => {
  test.each([
    ["SITE_URL", "https://market.test;script-src"],
    ["SITE_URL", "https://*.market.test"],
    ["SITE_URL", "https://ada:secret@market.test"],
    ["SITE_URL", "hｔtps://market.test"],
    ["LAUNCH_URL", "https://app.test/\nSet-Cookie:x=1"],
    ["LAUNCH_URL", "https://app.test/a b"],
    ["SUPPORT_URL", "javascript:alert(1)"],
    ["FACEBOOK_URL", "ｊavascript:alert(1)"],
    ["RESEND_URL", "https://api.test;x"],
  ])("%s=%j is refused", (name, value) => expect(messages({ [name]: value })).toContain(`  ${name} must be`));

  describe("of the survey", () => {
    needs("survey");

    test.each([
      "https://forms.test;sandbox",
      "https://forms.test,default-src",
      "https://*",
      "https://user:password@forms.test",
    ])("SURVEY_URL=%j is refused", (SURVEY_URL) => {
      expect(messages({ SURVEY_URL })).toContain("  SURVEY_URL must be");
    });
  });

  describe("of the blog", () => {
    needs("blog");

    test("with a second directive are refused", () => {
      expect(messages({ GHOST_URL: "https://blog.test;x" })).toContain("  GHOST_URL must be");
    });
  });

  test("in another alphabet are allowed, and become those that DNS knows", () => {
    expect(messages({ SITE_URL: "https://bücher.test", SURVEY_URL: "https://förms.test/ä" })).toBe("");
  });
});

describe("keys", () => {
  test.each([
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
  ])("%s=%j is refused, because no request could be made with it", (name, value) =>
    expect(messages({ [name]: value })).toContain(`  ${name} must be`),
  );
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

test("the name of a queue is made of letters, digits and hyphens, whatever the Worker's name", () => {
  const queue = emailQueue({ name: "../Mein $(id)\n🛒", sendsEmail: true }, { MAIL_FROM: "a@market.test" }, []);
  expect(queue?.name).toMatch(/^[a-z0-9-]{1,63}$/);
});

describe("secrets in deploy.env", () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "waitlist-site-hostile-"));
    file = join(folder, "deploy.env");
    vi.spyOn(console, "warn").mockImplementation(() => {});
  });
  afterEach(() => {
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  const read = () => parseEnv(readFileSync(file, "utf8"));

  test.each([
    `LINK_SECRET="before#after"\n`,
    `LINK_SECRET='it is "quoted" # so'\n`,
    `LINK_SECRET="$(id) $& $1"\n`,
    `LINK_SECRET="of two\nlines"\nA=1\n`,
    "LINK_SECRET=\nA=1\nLINK_SECRET=the-last-one-counts\n",
  ])("are rotated so that the former is read again: %j", (text) => {
    writeFileSync(file, text, { mode: 0o600 });
    const { LINK_SECRET: former, ...others } = read();
    const rotated = replaceLinkSecret(file, {}, false);
    expect(read()).toEqual({ ...others, ...rotated });
    expect(rotated["LINK_SECRET_PREVIOUS"]).toBe(former);
  });

  test("are not written to a file that would hide them in another value", () => {
    const text = `CONTROLLER_ADDRESS="1 Market Square\nLINK_SECRET=x\nTown"\n`;
    writeFileSync(file, text, { mode: 0o600 });
    expect(() => saveSecrets(file, { LINK_SECRET: "new" })).toThrow("cannot be written");
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test("of any characters are read again as they were, or refused", () => {
    const secret = fc.string({ unit: fc.constantFrom(..."ab'\"`#$\\ =\n\r\t{}é"), minLength: 1, maxLength: 12 });
    const check = fc.property(secret, (value) => {
      writeFileSync(file, "A=1\nLINK_SECRET=old\nB=2\n", { mode: 0o600 });
      try {
        saveSecrets(file, { LINK_SECRET: value });
      } catch {
        expect(read()).toEqual({ A: "1", LINK_SECRET: "old", B: "2" });
        return;
      }
      expect(read()).toEqual({ A: "1", LINK_SECRET: value, B: "2" });
    });
    fc.assert(check, { numRuns: 300 });
  });
});
