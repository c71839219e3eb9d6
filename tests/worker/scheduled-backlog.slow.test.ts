import { expect, test } from "vitest";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { countingMailer, scheduledApp } from "#tests/support/pool/scheduled-app.ts";
import { seedEntries } from "#tests/support/pool/seed-entries.ts";
import { runScheduled } from "#worker/scheduled.ts";

freshStorageForEachTest();
captureLog();

const COUNT = 1_000;

test(`runs on the free plan send each of ${COUNT} emails exactly once, including those that fail at first`, async () => {
  let now = Date.UTC(2026, 10, 21);
  await seedEntries(COUNT, now);
  const { mailer, counted } = countingMailer((nth) => nth % 10 !== 0);
  const unsent = async () => (await rows("email_outbox")).filter(({ sent_at }) => sent_at === null);
  for (let runs = 0; runs < 100 && (await unsent()).length > 0; runs += 1) {
    await runScheduled({ ...scheduledApp(now, { vars: { WORKERS_PLAN: "free" } }), mailer });
    now += 5 * 60_000;
  }
  expect(await unsent()).toEqual([]);
  const everyone = Array.from({ length: COUNT }, (_, n) => `person${n + 1}@example.com`);
  expect(Array.from(counted.accepted.keys()).toSorted()).toEqual(everyone.toSorted());
  expect(Array.from(counted.accepted.values()).filter((times) => times !== 1)).toEqual([]);
  expect(counted.submitted).toBeGreaterThan(COUNT);
});
