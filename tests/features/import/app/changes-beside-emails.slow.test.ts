import { env } from "cloudflare:test";
import { expect, test, vi } from "vitest";
import { startBulkAction } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { findImport } from "#app/features/import/imports.server.ts";
import { planLimits, type WorkersPlan } from "#app/server/config/plan-limits.ts";
import { peopleCsv } from "#tests/features/import/import-files.ts";
import { importHarness } from "#tests/features/import/pool/imports.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { countingMailer, scheduledApp } from "#tests/support/pool/emails.ts";
import { addEntries, db, freshStorageForEachTest, rows, seedEntries } from "#tests/support/pool/start.ts";
import { runScheduled } from "#worker/scheduled.ts";

freshStorageForEachTest();

const START = Date.UTC(2026, 10, 23, 4);
const FLOOD = 6_000;

async function startImport(people: number): Promise<number> {
  const imports = importHarness();
  const { id } = await imports.check(peopleCsv(people).replaceAll("person", "imported"), { welcome: true });
  await imports.confirm(id);
  return id;
}

async function startErasure(): Promise<void> {
  await addEntries(FLOOD);
  await env.DB.exec(`UPDATE waitlist_emails SET source = 'flood', created_at = ${START} WHERE email LIKE 'ada%'`);
  const selection = { source: "flood" };
  const newestEntryId = 3_000 + FLOOD;
  await startBulkAction(db, { kind: "erase", selection, newestEntryId, expected: FLOOD, now: START });
}

/** Runs beside a backlog of emails: what each used, how many emails it sent, who was imported and erased by then. */
async function runsWithBacklog(plan: WorkersPlan, minutes: number[], more: object = {}) {
  await seedEntries(3_000, START - 24 * 3_600_000);
  await startErasure();
  const id = await startImport(12_000);
  const vars = { WORKERS_PLAN: plan, MAIL_PER_HOUR: 100_000, OWNER_EMAIL: "owner@waitlist-site.example", ...more };
  const runs: { emails: number; imported: number; erased: number }[] = [];
  for (const minute of minutes) {
    const meter = meteredD1();
    const { mailer, counted } = countingMailer();
    await runScheduled({ ...scheduledApp(START + minute * 60_000, { d1: meter.d1, vars }), mailer });
    expect(meter.executed.length + counted.submitted).toBeLessThanOrEqual(planLimits[plan].subrequests);
    const { added: imported = 0 } = (await findImport(db, id)) ?? {};
    const [{ affected: erased } = { affected: 0 }] = await rows<{ affected: number }>("bulk_actions");
    runs.push({ emails: counted.submitted, imported, erased });
  }
  return runs;
}

test("beside a backlog of emails, runs on the free plan import and erase by turns, within their limit", async () => {
  // The first, the middle and the last run of an hour have more to do: the last one leaves the changes to the next.
  const runs = await runsWithBacklog("free", [0, 1, 2, 30, 59]);
  for (const { emails } of runs) expect(emails).toBeGreaterThanOrEqual(14);
  expect(runs.map(({ imported }) => imported)).toEqual([50, 50, 100, 100, 100]);
  expect(runs.map(({ erased }) => erased)).toEqual([0, 500, 500, 1_000, 1_000]);
});

test("beside a backlog of emails, runs on the paid plan import and erase by turns, within their limit", async () => {
  const runs = await runsWithBacklog("paid", [1, 2]);
  for (const { emails } of runs) expect(emails).toBeGreaterThanOrEqual(670);
  expect(runs.map(({ imported, erased }) => [imported, erased])).toEqual([
    [1_000, 0],
    [1_000, 500],
  ]);
});

test("a run on the free plan that has everything else to do leaves the changes to the next one", async () => {
  await env.DB.exec("INSERT INTO blocked_attempts (day, reason, count) VALUES ('2026-11-23', 'honeypot', 500)");
  // In Tokyo, where the owner is, the digest is due. With this send limit the run also has to say that it is reached.
  const runs = await runsWithBacklog("free", [0, 1], { OWNER_TIME_ZONE: "Asia/Tokyo", MAIL_PER_HOUR: 13 });
  expect(runs).toMatchObject([
    { imported: 0, erased: 0 },
    { imported: 50, erased: 500 },
  ]);
});

test("a list of throwaway domains is read once for all rows, since each reading is a request", async () => {
  await startImport(500);
  const app = scheduledApp(Date.now(), { vars: { WORKERS_PLAN: "paid" } });
  const has = vi.fn(async () => false);
  await runScheduled({ ...app, mailer: null, disposableDomains: { has } });
  expect(await rows("imports")).toMatchObject([{ state: "done", added: 500 }]);
  expect(has).toHaveBeenCalledTimes(1);
});
