import { env } from "cloudflare:test";
import { expect, test, vi } from "vitest";
import { importJobs } from "#app/features/import/import-jobs.server.ts";
import { deleteOldImports, findImport, resumeImport, stopImport } from "#app/features/import/imports.server.ts";
import { peopleCsv } from "#tests/features/import/import-files.ts";
import { importHarness, NOW } from "#tests/features/import/pool/imports.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { countingMailer, scheduledApp } from "#tests/support/pool/emails.ts";
import { testKilled } from "#tests/support/pool/killed-changes.ts";
import {
  acceptInserts,
  freshStorageForEachTest,
  join,
  refuseInserts,
  rows,
  seedEntries,
} from "#tests/support/pool/start.ts";
import { runScheduled } from "#worker/scheduled.ts";

freshStorageForEachTest();

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const { db, stage, check, confirm } = importHarness();

async function start(file: string): Promise<number> {
  const { id } = await check(file, { welcome: true, fill: true });
  await confirm(id);
  return id;
}

testKilled("an import of 1,030 people, 99 of whom opted out, 20 of these on the list", {
  async start() {
    await seedEntries(20, NOW - DAY);
    const file = peopleCsv(1_030).replace("Source", "Status");
    return start(file.replace(/(person\d\d?@.*)Autumn Fair/g, "$1unsubscribed").replaceAll("Autumn Fair", "active"));
  },
  // So that turns end within a chunk of the file, and at its end.
  run: (d1, now) => importHarness(d1).run(1_000, 600, now),
  stop: (id) => stopImport(db, id, NOW),
  result: { entries: { length: 1_030 }, emails: { length: 931 }, imports: [{ added: 1_010, unsubscribed: 20 }] },
});

test("a person takes 4 rows, and 5 with the email; a turn reads each domain once, and makes no statement more than is reserved", async () => {
  const meter = meteredD1();
  const { run, deps } = importHarness(meter.d1);
  const has = vi.spyOn(deps.disposableDomains, "has");
  await start(peopleCsv(3_000));
  expect(await run()).toBe(3);
  expect(has).toHaveBeenCalledTimes(3);
  // A turn claims as well, and here has no emails to withdraw. One more finds nothing left.
  expect(meter.executed).toHaveLength(3 * importJobs.statements + 1);
  const written = (pattern: RegExp) =>
    meter.executed.filter(({ sql }) => pattern.test(sql)).reduce((sum, { rowsWritten }) => sum + rowsWritten, 0);
  expect(written(/INTO waitlist_emails/) / 3_000).toBeCloseTo(4, 1);
  expect(written(/INTO email_outbox/) / 3_000).toBeCloseTo(5, 1);
});

test("the longest entries that a chunk can hold fit into a string of D1", async () => {
  const texts = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "referrer_host"];
  const columns = ["email", ...texts, "joined", "consent", "confirmed", "unsubscribed"];
  const cells = columns.slice(1).map((name) => (texts.includes(name) ? `x${"\u00e9".repeat(32)}` : "2026-10-05"));
  const people = Array.from({ length: 1_000 }, (_, nth) => [`${nth}@example.com`, ...cells].join('","'));
  const meter = meteredD1();
  const file = `${columns}\n"${people.join('"\n"')}"`;
  const { found } = await importHarness(meter.d1).import(file, { note: "\u3042".repeat(300) });
  expect(found).toMatchObject({ chunks: 1, added: 1_000 });
  const sizes = meter.executed.flatMap(({ params }) => params.map((param) => new Blob([String(param)]).size));
  expect(sizes.filter((size) => size > 450_000)).not.toEqual([]);
  expect(Math.max(...sizes)).toBeLessThan(2_000_000);
});

test("files that were not confirmed are deleted after a day, with their rows; so are the rows of those that stopped", async () => {
  await stage(peopleCsv(10));
  const id = await start(peopleCsv(10));
  expect([await deleteOldImports(db, NOW + DAY), await deleteOldImports(db, NOW + DAY + 1)]).toEqual([0, 1]);
  expect([await rows("imports"), await rows("import_chunks")]).toMatchObject([[{ state: "running" }], [{}]]);
  // One that stopped itself can continue for a day.
  await env.DB.exec(`UPDATE imports SET state = 'stopped', stop_reason = 'failed', finished_at = ${NOW}`);
  for (const later of [DAY, DAY + 1]) await deleteOldImports(db, NOW + later);
  expect([await rows("import_chunks"), await resumeImport(db, id, NOW)]).toEqual([[], false]);
  expect(await deleteOldImports(db, NOW + 760 * DAY)).toBe(1);
});

test("an import that fails at every attempt stops after three, while emails go out; it can continue", async () => {
  const id = await start(peopleCsv(60));
  const { mailer, counted } = countingMailer();
  async function run(minute: number) {
    const app = scheduledApp(NOW + minute * MINUTE, { vars: { WORKERS_PLAN: "free" } });
    await runScheduled({ ...app, mailer }).catch(() => {});
    return findImport(db, id);
  }
  await run(1);
  await refuseInserts("waitlist_emails", "NEW.import_id > 0");
  for (const [minute, stop_reason] of [null, null, "failed"].entries()) {
    await join(`${minute}@example.com`, { now: NOW + (minute + 2) * MINUTE });
    expect(await run(minute + 2)).toMatchObject({ rows_done: 50, added: 50, stop_reason });
    expect(counted.accepted.get(`${minute}@example.com`)).toBe(1);
  }
  await acceptInserts();
  expect([await resumeImport(db, id, NOW), await resumeImport(db, id, NOW)]).toEqual([true, false]);
  expect(await run(5)).toMatchObject({ state: "done", added: 60, stop_reason: null });
});
