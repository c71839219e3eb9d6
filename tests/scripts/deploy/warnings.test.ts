import { expect, test } from "vitest";
import { launchDateWarning } from "#app/features/overview/launch-date.ts";
import { ownerEmailWarning } from "#scripts/deploy/settings.ts";

const owner = { OWNER_EMAIL: "ada@market.test" };
const sender = { ...owner, MAIL_FROM: "hello@market.test" };

test.each([
  ["there is no owner", {}, [], true],
  ["Cloudflare sends email", sender, [], true],
  ["Resend does", sender, ["RESEND_API_KEY"], false],
])("an owner is not warned when %s", (_, vars, secretNames, sendsEmail) => {
  expect(ownerEmailWarning(vars, sendsEmail, secretNames)).toBeNull();
});

test.each([
  ["MAIL_FROM is not set", owner, ["RESEND_API_KEY"], true],
  ["nothing sends email", sender, ["LINK_SECRET"], false],
])("an owner is warned when %s", (_, vars, secretNames, sendsEmail) => {
  const warning = ownerEmailWarning(vars, sendsEmail, secretNames);
  expect(warning).toMatch(/no email can be sent without MAIL_FROM[^@]*npm run owner -- sign-in --remote$/);
});

test.each([
  ["has passed", undefined, "2027-06-01T00:00:00Z", "2027-05-31", /31 May 2027.*has passed/s],
  ["is ahead", undefined, "2027-05-31T23:00:00Z", "2027-05-31", null],
  ["has passed, but the product is open", "https://app.market.test", "2027-06-01T00:00:00Z", "2027-05-31", null],
  ["is not known", undefined, "2027-06-01T00:00:00Z", null, null],
])("the launch date that %s", (_, launchUrl, now, date, expected) => {
  const warning = launchDateWarning(launchUrl, date, Date.parse(now));
  if (expected === null) expect(warning).toBeNull();
  else expect(warning).toMatch(expected);
});
