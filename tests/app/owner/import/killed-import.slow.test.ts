import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { resumeImport } from "#app/owner/import/attempts.server.ts";
import { deleteOldImports, findImport, stopImport } from "#app/owner/import/imports.server.ts";
import { continueImports } from "#app/owner/import/run.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { peopleCsv } from "#tests/support/import-files.ts";
import { type Kill, killedProcess } from "#tests/support/pool/d1.ts";
import { countingMailer, scheduledApp } from "#tests/support/pool/emails.ts";
import { importHarness, NOW } from "#tests/support/pool/imports.ts";
import { freshStorageForEachTest, join, rows } from "#tests/support/pool/start.ts";
import { runScheduled } from "#worker/scheduled.ts";

const MAX_ATTEMPTS = 3;

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
    expect(await found()).toMatchObject({ state: "running", failures: nth, rows_done: 50, added: 50 });
    expect(emails.get(`new${nth}@example.com`)).toBe(1);
  }
  await join("new4@example.com", { now: clock.now });
  // Would be killed if it made another attempt.
  expect(await run(kill)).toBe(false);
  expect(await found()).toMatchObject({ state: "stopped", stop_reason: "killed", finished_at: clock.now, added: 50 });
  expect(emails.get("new4@example.com")).toBe(1);
  expect(log.join()).toContain(`"event":"import-stopped","importId":${id}`);
  await run(kill);
  expect((await found())?.failures).toBe(MAX_ATTEMPTS);
});

test("a stopped import that the owner continues adds the rest, each person once, with one email each", async () => {
  const { id, db, emails, run, found } = await freeImport(120);
  for (let nth = 0; nth <= MAX_ATTEMPTS; nth += 1) await run(kill);
  expect(await found()).toMatchObject({ state: "stopped" });
  expect(await resumeImport(db, id)).toBe(true);
  expect(await resumeImport(db, id)).toBe(false);
  for (let nth = 0; nth < 20; nth += 1) await run();
  expect(await found()).toMatchObject({ state: "done", added: 120, failures: 0, stop_reason: null });
  expect((await rows("waitlist_emails")).map(({ email }) => email).toSorted()).toEqual(
    Array.from({ length: 120 }, (_, index) => `person${index + 1}@example.com`).toSorted(),
  );
  expect(new Set(emails.values())).toEqual(new Set([1]));
  expect(emails.size).toBe(120);
});

test("a success forgets the attempts before it: an import that is killed twice at every chunk is finished", async () => {
  const { run, found } = await freeImport(120);
  for (let chunk = 1; chunk <= 3; chunk += 1) {
    for (let nth = 1; nth < MAX_ATTEMPTS; nth += 1) await run(kill);
    await run();
    expect(await found()).toMatchObject({ failures: 0, added: Math.min(chunk * 50, 120) });
  }
  expect(await found()).toMatchObject({ state: "done" });
});

test.each(
  [1, 2, 3, 4, 5].flatMap((step) => [
    { step, when: "before" as const },
    { step, when: "after" as const },
  ]),
)("an attempt killed $when step $step loses no row and adds none twice", async (given) => {
  const imports = importHarness();
  const { id } = await imports.check(peopleCsv(1_030), { welcome: true });
  await imports.confirm(id);
  let now = NOW;
  const { d1, untilDead } = killedProcess(countingMailer().mailer, given);
  const budget = { maxStatements: 1_000, until: Number.POSITIVE_INFINITY, rows: 600 };
  await untilDead(continueImports({ ...imports.deps, db: openDb(d1) }, budget));
  now += MINUTE;
  await continueImports({ ...imports.deps, now: () => now }, budget);
  expect(await rows("imports")).toMatchObject([{ state: "done", added: 1_030, position: 2, failures: 0 }]);
  expect(await rows("waitlist_emails")).toHaveLength(1_030);
  expect(await rows("email_outbox")).toHaveLength(1_030);
  expect(await rows("import_chunks")).toEqual([]);
});

test("an attempt that fails counts as well, and three stop the import", async () => {
  await env.DB.exec("CREATE TRIGGER failing BEFORE INSERT ON waitlist_emails BEGIN SELECT raise(abort, 'full'); END");
  const { run, found, db, id, clock } = await freeImport(10);
  for (let nth = 1; nth < MAX_ATTEMPTS; nth += 1) {
    await expect(run()).rejects.toThrow();
    expect(await found()).toMatchObject({ state: "running", failures: nth, stop_reason: null });
  }
  await expect(run()).rejects.toThrow();
  expect(await found()).toMatchObject({ state: "stopped", stop_reason: "failures", finished_at: clock.now });
  await env.DB.exec("DROP TRIGGER failing");
  expect(log.join()).toContain('"reason":"failures"');
  await resumeImport(db, id);
  await run();
  expect(await found()).toMatchObject({ state: "done", added: 10, stop_reason: null, failures: 0 });
});

test("while one run works on an import, others neither count an attempt nor add anything", async () => {
  const imports = importHarness();
  const { id } = await imports.check(peopleCsv(10));
  await imports.confirm(id);
  const { d1, untilDead } = killedProcess(countingMailer().mailer, kill);
  await untilDead(importHarness(d1).run());
  for (let other = 0; other < 5; other += 1) expect(await imports.run()).toBe(1);
  expect(await rows("imports")).toMatchObject([{ state: "running", failures: 1, added: 0 }]);
});

test("the rest of the file stays for a day, or until the owner gives up; then the import cannot continue", async () => {
  const { id, db, clock, run, found } = await freeImport(10);
  const stop = async () => {
    for (let nth = 0; nth <= MAX_ATTEMPTS; nth += 1) await run(kill);
    expect(await found()).toMatchObject({ stop_reason: "killed" });
  };
  await stop();
  await deleteOldImports(db, clock.now + DAY);
  expect(await resumeImport(db, id)).toBe(true);
  await stop();
  await deleteOldImports(db, clock.now + DAY + 1);
  expect(await rows("import_chunks")).toEqual([]);
  expect(await resumeImport(db, id)).toBe(false);
  expect(await found()).toMatchObject({ state: "stopped", stop_reason: "killed" });

  const other = await freeImport(10);
  for (let nth = 0; nth <= MAX_ATTEMPTS; nth += 1) await other.run(kill);
  expect(await stopImport(db, other.id, NOW)).toBe(true);
  expect(await other.found()).toMatchObject({ state: "stopped", stop_reason: "owner" });
  expect(await rows("import_chunks")).toEqual([]);
  expect(await resumeImport(db, other.id)).toBe(false);
  expect(await stopImport(db, other.id, NOW)).toBe(false);
});
