import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { startBulkAction } from "#app/owner/entries/bulk/bulk-actions.server.ts";
import type { WorkersPlan } from "#app/server/plan-limits.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { countingMailer, scheduledApp } from "#tests/support/pool/emails.ts";
import { addEntries, db, freshStorageForEachTest, rows, seedEntries } from "#tests/support/pool/start.ts";
import { runScheduled } from "#worker/scheduled.ts";

freshStorageForEachTest();

const START = Date.UTC(2026, 10, 23, 4);
const PEOPLE = 6_000;

/** Runs with a backlog of emails to others: what each used, how many emails it sent, and what was erased by then. */
async function runsWithBacklog(plan: WorkersPlan, minutes: number[]) {
  await seedEntries(3_000, START - 24 * 3_600_000);
  await addEntries(PEOPLE);
  await env.DB.exec("UPDATE waitlist_emails SET source = 'flood', created_at = 1795000000000 WHERE email LIKE 'ada%'");
  const erasure = {
    kind: "erase" as const,
    selection: { source: "flood" },
    newestEntryId: 3_000 + PEOPLE,
    expected: PEOPLE,
    now: START,
  };
  await startBulkAction(db, erasure);
  const vars = { WORKERS_PLAN: plan, MAIL_PER_HOUR: 100_000, OWNER_EMAIL: "owner@waitlist-site.example" };
  const runs: { used: number; emails: number; erased: number }[] = [];
  for (const minute of minutes) {
    const meter = meteredD1();
    const { mailer, counted } = countingMailer();
    await runScheduled({ ...scheduledApp(START + minute * 60_000, { d1: meter.d1, vars }), mailer });
    const [{ affected: erased } = { affected: 0 }] = await rows<{ affected: number }>("bulk_actions");
    runs.push({ used: meter.executed.length + counted.submitted, emails: counted.submitted, erased });
  }
  return runs;
}

test("beside a backlog of emails, every run on the free plan erases a chunk within its limit", async () => {
  // The first, the middle and the last run of an hour have more to do.
  const runs = await runsWithBacklog("free", [0, 1, 30, 59]);
  expect(runs.map(({ erased }) => erased)).toEqual([500, 1_000, 1_500, 2_000]);
  for (const { used, emails } of runs) {
    expect(used).toBeLessThanOrEqual(45);
    expect(emails).toBeGreaterThanOrEqual(14);
  }
});

test("beside a backlog of emails, every run on the paid plan erases two chunks or more within its limit", async () => {
  const runs = await runsWithBacklog("paid", [1, 2]);
  for (const [index, { used, emails, erased }] of runs.entries()) {
    expect(used).toBeLessThanOrEqual(900);
    expect(emails).toBeGreaterThanOrEqual(670);
    expect(erased).toBeGreaterThanOrEqual((index + 1) * 1_000);
  }
});
