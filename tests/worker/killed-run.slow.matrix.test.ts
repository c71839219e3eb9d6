import { expect, test } from "vitest";
import { killsOf } from "#tests/features/letters/pool/letter-harness.ts";
import { busyCron, everythingDone, MINUTE } from "#tests/support/pool/busy-cron.ts";
import { freshDatabaseForEachTest, join, needs, sampleCases } from "#tests/support/pool/start.ts";
import { steps as cronSteps } from "#worker/scheduled.ts";

needs("letters");
freshDatabaseForEachTest();

/** A run that also does what is due once an hour and once a day, and the middle and the last run of that hour. */
const FIRST = Date.UTC(2026, 10, 23, 4);
const MIDDLE = FIRST + 30 * MINUTE;
const LAST = FIRST + 59 * MINUTE;
/** A middle run that also does what is due four times a day. */
const SIXTH = MIDDLE + 2 * 60 * MINUTE;

const recordOfEmails = /^update "email_outbox" set.* from json_each/s;

/** A statement in the middle of each step and of each kind of job, and a run in which it has something to do. */
const middles: Record<string, { step: RegExp; at: number } | { step: RegExp; at: number }[]> = {
  sendDueEmails: [
    { step: recordOfEmails, at: FIRST },
    { step: /UPDATE letter_batches SET attempts/, at: FIRST },
  ],
  enqueueNotifications: { step: /from "blocked_attempts"/, at: FIRST },
  remindUnconfirmed: { step: /^UPDATE waitlist_emails SET reminded_at/, at: FIRST },
  eraseExpiredEntries: { step: /^delete from "waitlist_emails"/, at: FIRST },
  forgetEvents: { step: /^delete from "provider_events"/, at: FIRST },
  forgetEmails: { step: /^delete from "email_outbox"/, at: LAST },
  forgetActions: { step: /^delete from "owner_log"/, at: LAST },
  forgetChanges: { step: /^delete from "entry_changes"/, at: SIXTH },
  forgetVisits: { step: /^delete from "page_visits"/, at: LAST },
  countReferrals: { step: /^update "referrals"/, at: FIRST },
  countPioneers: { step: /^insert into "stats"/, at: MIDDLE },
  closeTablets: { step: /^update "fair_devices" set "private_key"/, at: MIDDLE },
  forgetImports: { step: /^delete from "imports"/, at: LAST },
  eraseUndoneImport: { step: /FROM bulk_actions AS undone/, at: LAST },
  forgetBulkActions: { step: /^delete from "bulk_actions"/, at: LAST },
  forgetJobs: { step: /^DELETE FROM jobs/, at: SIXTH },
  deleteUnusedPictures: { step: /^UPDATE pictures/, at: SIXTH },
  doJobs: [
    { step: /INSERT INTO fair_sign_ups/, at: FIRST },
    { step: /^update "bulk_actions"/, at: FIRST },
    { step: /^INSERT INTO waitlist_emails .*json_each/s, at: FIRST },
  ],
};

const table = Object.keys(cronSteps).flatMap((name) => {
  const middle = middles[name];
  if (middle === undefined) throw new Error(`${name} has no row above`);
  return [middle].flat().map((each) => ({ name, ...each }));
});

test.each(sampleCases([FIRST, MIDDLE, LAST].flatMap((at) => [1, 2].map((runs) => ({ at, runs })))))(
  "without a kill, $runs runs at once from $at, and the next ones, do everything once",
  async ({ at, runs }) => {
    const cron = await busyCron(at);
    await Promise.all(Array.from({ length: runs }, () => cron.run()));
    await cron.runOn();
    expect(await cron.done()).toEqual(everythingDone);
  },
);

/** More than a run has. */
const STEPS = 70;

test.each(killsOf(STEPS, 47))("a run killed $when step $step: the next ones do everything, once", async (kill) => {
  const cron = await busyCron(FIRST);
  await cron.runUntil(kill);
  await cron.runOn();
  expect(await cron.done()).toEqual(everythingDone);
});

test("a run has fewer steps than there are kills", async () => {
  const steps = await (await busyCron(FIRST)).countSteps();
  expect(steps).toBeGreaterThan(30);
  expect(steps).toBeLessThan(STEPS);
});

test.each(sampleCases(table))("a run is killed in $name: the next ones do everything, once", async ({ step, at }) => {
  const cron = await busyCron(at);
  expect(await cron.runUntil({ step, when: "after" })).toBe(true);
  await cron.runOn();
  expect(await cron.done()).toEqual(everythingDone);
});

const others = table.filter(({ step }) => step !== recordOfEmails);

test.each(sampleCases(others))(
  "if every run is killed in $name, emails are sent by all of them",
  async ({ step, at }) => {
    const cron = await busyCron(at);
    for (let run = 0; run < 3; run += 1) {
      const email = `new${run}@example.com`;
      await join(email, { now: cron.clock.now });
      // The same minute, since most steps have something to do once an hour.
      await cron.runUntil({ step, when: "before" });
      expect((await cron.done()).accepted).toMatchObject({ "ada12@example.com": 1, [email]: 1 });
    }
  },
);
