import { expect, test } from "vitest";
import { ownerEmailWarning } from "#scripts/deploy/settings.ts";

const owner = { OWNER_EMAIL: "ada@market.test" };
const sender = { ...owner, MAIL_FROM: "hello@market.test" };

test.each([
  ["there is no owner", {}, [], true],
  ["Cloudflare sends email", sender, [], true],
  ["Resend does", sender, ["RESEND_API_KEY"], false],
])("no warning when %s", (_, vars, secretNames, sendsEmail) => {
  expect(ownerEmailWarning(vars, sendsEmail, secretNames)).toBeNull();
});

test.each([
  ["MAIL_FROM is not set", owner, ["RESEND_API_KEY"], true],
  ["nothing sends email", sender, ["LINK_SECRET"], false],
])("an owner is warned when %s", (_, vars, secretNames, sendsEmail) => {
  const warning = ownerEmailWarning(vars, sendsEmail, secretNames);
  expect(warning).toContain("no email can be sent without MAIL_FROM");
  expect(warning).toMatch(/npm run owner -- sign-in --remote$/);
  expect(warning).not.toContain("@");
});
