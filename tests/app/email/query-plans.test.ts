import { expect, test } from "vitest";
import { recordWaiting } from "#app/email/backlog.server.ts";
import { CLAIM_DUE, CLAIM_ONE } from "#app/email/outbox.server.ts";
import { sendEmail } from "#app/email/sender.server.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { outboxHarness } from "#tests/support/pool/emails.ts";
import { queryPlan } from "#tests/support/pool/query-plan.ts";
import { explain, freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

/** How the quota is read: the emails sent within the hour, those that were refused since, those leased, and letters. */
const quota = [
  "SEARCH email_outbox USING INDEX email_outbox_dead_at (dead_at>?)",
  "SEARCH email_outbox USING INDEX email_outbox_done_at (done_at>?)",
  "SEARCH email_outbox USING INDEX email_outbox_due (priority=? AND network=? AND next_attempt_at>? AND next_attempt_at<?)",
  "SEARCH letter_batches USING INDEX letter_batches_done_at (done_at>?)",
];
const accepted = "SEARCH other USING COVERING INDEX email_outbox_done_at (done_at>?)";

test("a run finds due emails, and reads the quota, by index", async () => {
  expect(await queryPlan("claim due emails", CLAIM_DUE)).toEqual([
    "SEARCH email USING INDEX email_outbox_due (priority=? AND network=? AND next_attempt_at<?)",
    "SEARCH email USING INDEX email_outbox_due (priority=? AND network>?)",
    ...quota,
    accepted,
  ]);
});

test("one email is found by its id or its entry, so that a long queue is not read", async () => {
  expect(await queryPlan("claim one email", CLAIM_ONE)).toEqual([
    "SEARCH email USING INDEX email_outbox_entry_id (entry_id=?)",
    ...quota,
    accepted,
    "SEARCH waitlist_emails USING COVERING INDEX waitlist_emails_email (email=?)",
  ]);
});

test.each([{ email: "ada@example.com" }, { id: crypto.randomUUID() }])(
  "no statement of a sign-up, of its welcome email or of one that waits scans a table, for %o",
  async (only) => {
    const meter = meteredD1();
    const outbox = outboxHarness({ d1: meter.d1, emailsPerHour: 1 });
    for (const name of ["ada", "ada", "bob"]) await outbox.join(`${name}@example.com`);
    for (const name of ["ada", "bob"]) await sendEmail(outbox.deps, { email: `${name}@example.com` });
    await recordWaiting(outbox.db, { now: outbox.clock.now, perHour: 0, only });
    const steps = (await Promise.all(meter.matching(/./).map(explain))).flat();
    expect(steps.length).toBeGreaterThan(10);
    expect(steps.filter((step) => /^SCAN (email|email_outbox|waitlist_emails|entry)\b/.test(step))).toEqual([]);
  },
);
