import { expect, test } from "vitest";
import { ownerEmailWarning } from "#scripts/deploy/warnings.ts";

const owner = { OWNER_EMAIL: "ada@market.test" };
const sender = { ...owner, MAIL_FROM: "hello@market.test" };
const key = { RESEND_API_KEY: "re_1" };

test.each([
  ["there is no owner", {}, {}, [], true],
  ["Cloudflare sends email", sender, {}, [], true],
  ["Resend does", sender, key, [], false],
  ["Resend's key is already at Cloudflare", sender, {}, ["RESEND_API_KEY"], false],
])("no warning when %s", (_, vars, secrets, stored, sendsEmail) => {
  expect(ownerEmailWarning(sendsEmail, { vars, secrets }, stored)).toBeNull();
});

test.each([
  ["MAIL_FROM is not set", owner, key, true],
  ["RESEND_API_KEY is not set, and wrangler.toml has no send_email binding", sender, {}, false],
])("an owner is warned when %s", (reason, vars, secrets, sendsEmail) => {
  const warning = ownerEmailWarning(sendsEmail, { vars, secrets }, []);
  expect(warning).toContain(`no email can be sent: ${reason}.`);
  expect(warning).toMatch(/npm run owner -- sign-in --remote$/);
  expect(warning).not.toContain("@");
});
