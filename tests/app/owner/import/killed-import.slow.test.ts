import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { importJobs } from "#app/owner/import/import-jobs.server.ts";
import { deleteOldImports, findImport, resumeImport, stopImport } from "#app/owner/import/imports.server.ts";
import { peopleCsv } from "#tests/support/import-files.ts";
import { type Kill, killedProcess } from "#tests/support/pool/d1.ts";
import { countingMailer, scheduledApp } from "#tests/support/pool/emails.ts";
import { importHarness, NOW } from "#tests/support/pool/imports.ts";
import { freshStorageForEachTest, join, rows } from "#tests/support/pool/start.ts";
import { runScheduled } from "#worker/scheduled.ts";

const MAX_ATTEMPTS = importJobs.maxAttempts;

const log = freshStorageForEachTest();

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The statement that adds the rows. Their hashes, which take the CPU time, come before it. */
const ADD_ROWS = /^insert into "waitlist_emails"/;

/** A running import on the free plan, whose cron job runs each minute. */
async function freeImport(people: number) {
  const { db, check, confirm } = importHarness();
  const { id } = await check(peopleCsv(people), { welcome: true });
  await confirm(id);
  const { mailer, counted } = countingMailer();
  const clock = { now: NOW };
  return {
    id,
    db,
    clock,
    emails: counted.accepted,
    /** The next run of the cron job, which may be killed. */
    async run(kill: Kill = { step: 0, when: "before" }) {
      clock.now += MINUTE;
      const killed = killedProcess(mailer, kill);
      const app = scheduledApp(clock.now, { d1: killed.d1, vars: { WORKERS_PLAN: "free" } });
      await killed.untilDead(runScheduled({ ...app, mailer: killed.mailer }));
      return killed.wasKilled();
    },
    found: () => findImport(db, id),
  };
}

const kill: Kill = { step: ADD_ROWS, when: "before" };

test("an import that is killed at every attempt stops after three; emails go out all the same", async () => {
  const { id, clock, emails, run, found } = await freeImport(120);
  await run();
  for (let nth = 1; nth <= MAX_ATTEMPTS; nth += 1) {
    await join(`new${nth}@example.com`, { now: clock.now });
    expect(await run(kill)).toBe(true);
    expect(await found()).toMatchObject({ state: "running", rows_done: 50, added: 50 });
    expect(emails.get(`new${nth}@example.com`)).toBe(1);
  }
  await join("new4@example.com", { now: clock.now });
  // Would be killed if it made another attempt.
  expect(await run(kill)).toBe(false);
  expect(await found()).toMatchObject({
    state: "stopped",
    stop_reason: "interrupted",
    finished_at: clock.now,
    added: 50,
  });
  expect(emails.get("new4@example.com")).toBe(1);
  expect(log.join()).toContain(`"event":"job-given-up","kind":"import","subject":${id}`);
});

test("a stopped import that the owner continues adds the rest, each person once, with one email each", async () => {
  const { id, db, clock, emails, run, found } = await freeImport(120);
  for (let nth = 0; nth <= MAX_ATTEMPTS; nth += 1) await run(kill);
  expect(await found()).toMatchObject({ state: "stopped" });
  expect(await resumeImport(db, id, clock.now)).toBe(true);
  expect(await resumeImport(db, id, clock.now)).toBe(false);
  for (let nth = 0; nth < 20; nth += 1) await run();
  expect(await found()).toMatchObject({ state: "done", added: 120, stop_reason: null });
  expect((await rows("waitlist_emails")).map(({ email }) => email).toSorted()).toEqual(
    Array.from({ length: 120 }, (_, index) => `person${index + 1}@example.com`).toSorted(),
  );
  expect(new Set(emails.values())).toEqual(new Set([1]));
  expect(emails.size).toBe(120);
});

test("an attempt that fails counts as well, and three stop the import", async () => {
  await env.DB.exec("CREATE TRIGGER failing BEFORE INSERT ON waitlist_emails BEGIN SELECT raise(abort, 'full'); END");
  const { run, found, db, id, clock } = await freeImport(10);
  for (let nth = 1; nth < MAX_ATTEMPTS; nth += 1) {
    await expect(run()).rejects.toThrow();
    expect(await found()).toMatchObject({ state: "running", stop_reason: null });
  }
  await expect(run()).rejects.toThrow();
  expect(await found()).toMatchObject({ state: "stopped", stop_reason: "failed", finished_at: clock.now });
  await env.DB.exec("DROP TRIGGER failing");
  expect(log.join()).toContain('"reason":"failed"');
  await resumeImport(db, id, clock.now);
  await run();
  expect(await found()).toMatchObject({ state: "done", added: 10, stop_reason: null });
});

test("the rest of the file stays for a day, or until the owner gives up; then the import cannot continue", async () => {
  const { id, db, clock, run, found } = await freeImport(10);
  const stop = async () => {
    for (let nth = 0; nth <= MAX_ATTEMPTS; nth += 1) await run(kill);
    expect(await found()).toMatchObject({ stop_reason: "interrupted" });
  };
  await stop();
  await deleteOldImports(db, clock.now + DAY);
  expect(await resumeImport(db, id, clock.now)).toBe(true);
  await stop();
  await deleteOldImports(db, clock.now + DAY + 1);
  expect(await rows("import_chunks")).toEqual([]);
  expect(await resumeImport(db, id, clock.now)).toBe(false);
  expect(await found()).toMatchObject({ state: "stopped", stop_reason: "interrupted" });

  const other = await freeImport(10);
  for (let nth = 0; nth <= MAX_ATTEMPTS; nth += 1) await other.run(kill);
  expect(await stopImport(db, other.id, NOW)).toBe(true);
  expect(await other.found()).toMatchObject({ state: "stopped", stop_reason: "owner" });
  expect(await rows("import_chunks")).toEqual([]);
  expect(await resumeImport(db, other.id, clock.now)).toBe(false);
  expect(await stopImport(db, other.id, NOW)).toBe(false);
});
