import { env } from "cloudflare:test";
import { expect, test, vi } from "vitest";
import { findImport } from "#app/owner/import/imports.server.ts";
import { maxSubrequests, type WorkersPlan } from "#app/server/plan-limits.ts";
import { peopleCsv } from "#tests/support/import-files.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { countingMailer, emailBinding, scheduledApp } from "#tests/support/pool/emails.ts";
import { importHarness } from "#tests/support/pool/imports.ts";
import { freshStorageForEachTest, join, rows, seedEntries } from "#tests/support/pool/start.ts";
import { runScheduled } from "#worker/scheduled.ts";

freshStorageForEachTest();

async function startImport(content: string): Promise<number> {
  const imports = importHarness();
  const { id } = await imports.check(content, { welcome: true });
  await imports.confirm(id);
  return id;
}

test("sends emails on the free plan while an import fails", async () => {
  const { binding, accepted } = emailBinding();
  const now = Date.now();
  await join("ada@example.com", { now });
  await startImport("email\nbob@example.com\n");
  const { d1 } = meteredD1((sql) => {
    if (/^insert into "waitlist_emails"/.test(sql)) throw new Error("D1_ERROR: string or blob too big");
  });
  const run = runScheduled(scheduledApp(now, { binding, d1, vars: { WORKERS_PLAN: "free" } }));
  await expect(run).rejects.toThrow("too big");
  expect(accepted).toEqual(["ada@example.com"]);
});

const START = Date.UTC(2026, 10, 23, 4);

/** Runs with a backlog of emails: what each used, how many emails it sent, and how many people were imported by then. */
async function runsWithBacklog(plan: WorkersPlan, minutes: number[], more: object = {}) {
  await seedEntries(3_000, START - 24 * 3_600_000);
  const id = await startImport(peopleCsv(12_000).replaceAll("person", "imported"));
  const vars = { WORKERS_PLAN: plan, MAIL_PER_HOUR: 100_000, OWNER_EMAIL: "owner@waitlist-site.example", ...more };
  const runs: { used: number; emails: number; added: number }[] = [];
  for (const minute of minutes) {
    const meter = meteredD1();
    const { mailer, counted } = countingMailer();
    await runScheduled({ ...scheduledApp(START + minute * 60_000, { d1: meter.d1, vars }), mailer });
    const { added = 0 } = (await findImport(importHarness().db, id)) ?? {};
    runs.push({ used: meter.executed.length + counted.submitted, emails: counted.submitted, added });
  }
  return runs;
}

test("beside a backlog of emails, every run on the free plan imports 50 people within its limit", async () => {
  // The first, the middle and the last run of an hour have more to do.
  const runs = await runsWithBacklog("free", [0, 1, 30, 59]);
  expect(runs.map(({ added }) => added)).toEqual([50, 100, 150, 200]);
  for (const { used, emails } of runs) {
    expect(used).toBeLessThanOrEqual(maxSubrequests.free);
    expect(emails).toBeGreaterThanOrEqual(14);
  }
});

test("beside a backlog of emails, every run on the paid plan imports 1,000 people or more within its limit", async () => {
  const runs = await runsWithBacklog("paid", [1, 2]);
  for (const [index, { used, emails, added }] of runs.entries()) {
    expect(used).toBeLessThanOrEqual(maxSubrequests.paid);
    expect(emails).toBeGreaterThanOrEqual(670);
    expect(added).toBeGreaterThanOrEqual((index + 1) * 1_000);
  }
});

test("a run on the free plan that has everything else to do leaves the import to the next one", async () => {
  await env.DB.exec("INSERT INTO blocked_attempts (day, reason, count) VALUES ('2026-11-23', 'honeypot', 500)");
  // In Tokyo, where the owner is, the digest is due. With this send limit the run also has to say that it is reached.
  const runs = await runsWithBacklog("free", [0, 1], { OWNER_TIME_ZONE: "Asia/Tokyo", MAIL_PER_HOUR: 13 });
  for (const { used } of runs) expect(used).toBeLessThanOrEqual(maxSubrequests.free);
  expect(runs.map(({ added }) => added)).toEqual([0, 50]);
});

test("a list of throwaway domains is read once for all rows, since each reading is a request", async () => {
  await startImport(peopleCsv(500));
  const app = scheduledApp(Date.now(), { vars: { WORKERS_PLAN: "paid" } });
  const has = vi.fn(async () => false);
  await runScheduled({ ...app, mailer: null, disposableDomains: { has } });
  expect(await rows("imports")).toMatchObject([{ state: "done", added: 500 }]);
  expect(has).toHaveBeenCalledTimes(1);
});
