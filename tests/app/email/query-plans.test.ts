import { expect, test } from "vitest";
import { sendEmail } from "#app/email/deliver.server.ts";
import { claimDue } from "#app/email/outbox.server.ts";
import { recordWaiting } from "#app/email/record-waiting.server.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { outboxHarness } from "#tests/support/pool/emails.ts";
import { explain, freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

type Outbox = ReturnType<typeof outboxHarness>;

/** The steps on the outbox in the plans of all statements that `act` executes. */
async function outboxPlans(act: (outbox: Outbox) => Promise<unknown>): Promise<string[][]> {
  const meter = meteredD1();
  const outbox = outboxHarness({ d1: meter.d1, emailsPerHour: 10 });
  await act(outbox);
  const plans = await Promise.all(meter.matching(/email_outbox/).map(explain));
  return plans.map((plan) => plan.filter((step) => step.includes(" email_outbox ")));
}

/** How the quota is read: the emails sent within the hour, those that bounced since, and those leased. */
const quota = [
  "SEARCH email_outbox USING INDEX email_outbox_sent_at (sent_at>?)",
  "SEARCH email_outbox USING INDEX email_outbox_dead_at (dead_at>?)",
  "SEARCH email_outbox USING INDEX email_outbox_due (priority=? AND network=? AND next_attempt_at>? AND next_attempt_at<?)",
];
const byIdAlone = "SEARCH email_outbox USING INDEX sqlite_autoindex_email_outbox_1 (id=?)";
const byEntry = "SEARCH email_outbox USING INDEX email_outbox_entry_id (entry_id=?)";
const byDueTime = "SEARCH email_outbox USING INDEX email_outbox_due (priority=? AND network=? AND next_attempt_at<?)";
const nextNetwork = "SEARCH email_outbox USING INDEX email_outbox_due (priority=? AND network>?)";
const inTurn = [nextNetwork, nextNetwork, byDueTime];
const claimedById = "SEARCH email_outbox USING COVERING INDEX sqlite_autoindex_email_outbox_1 (id=?)";

const options = ({ clock }: Outbox) => ({
  now: clock.now,
  limit: 10,
  perHour: 10,
  owners: ["first-owner", "second-owner"],
});

test("a sweep finds due emails, and reads the quota, by index", async () => {
  expect(await outboxPlans((outbox) => claimDue(outbox.db, options(outbox)))).toEqual([
    [claimedById, ...quota, ...inTurn, ...inTurn, byDueTime, byDueTime],
  ]);
});

test("the emails of one address are found by their entry, so that a long queue is not read", async () => {
  const only = { email: "ada@example.com" };
  expect(await outboxPlans((outbox) => claimDue(outbox.db, { ...options(outbox), only }))).toEqual([
    [claimedById, ...quota, byEntry, byEntry, byEntry, byEntry],
  ]);
  expect(await outboxPlans((outbox) => recordWaiting(outbox.db, { ...options(outbox), perHour: 0, only }))).toEqual([
    quota,
    [byEntry],
    [byEntry],
  ]);
});

test("one email to the owner is found by its id", async () => {
  const only = { id: crypto.randomUUID() };
  expect(await outboxPlans((outbox) => claimDue(outbox.db, { ...options(outbox), only }))).toEqual([
    [claimedById, ...quota, byIdAlone, byIdAlone, byIdAlone, byIdAlone],
  ]);
});

test("no statement of a sign-up or its welcome email scans a table", async () => {
  const meter = meteredD1();
  const outbox = outboxHarness({ d1: meter.d1, emailsPerHour: 1 });
  for (const name of ["ada", "ada", "bob"]) await outbox.join(`${name}@example.com`);
  for (const name of ["ada", "bob"]) await sendEmail(outbox.deps, { email: `${name}@example.com` });
  const steps = (await Promise.all(meter.matching(/./).map(explain))).flat();
  expect(steps.length).toBeGreaterThan(10);
  expect(steps.filter((step) => /^SCAN (email_outbox|waitlist_emails)/.test(step))).toEqual([]);
});
