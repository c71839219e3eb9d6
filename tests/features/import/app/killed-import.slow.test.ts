import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { deleteOldImports, findImport, resumeImport, stopImport } from "#app/features/import/imports.server.ts";
import { peopleCsv } from "#tests/features/import/import-files.ts";
import { importHarness, NOW } from "#tests/features/import/pool/imports.ts";
import { type Kill, killedProcess } from "#tests/support/pool/d1.ts";
import { countingMailer, scheduledApp } from "#tests/support/pool/emails.ts";
import { freshStorageForEachTest, join, rows } from "#tests/support/pool/start.ts";
import { runScheduled } from "#worker/scheduled.ts";

const MAX_ATTEMPTS = 3;

freshStorageForEachTest();

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
const FAILING = "CREATE TRIGGER failing BEFORE INSERT ON waitlist_emails WHEN NEW.import_id > 0";

test.each([
  ["interrupted", kill],
  ["failed", undefined],
])(
  "an import that is %s at every attempt stops after three, while emails go out; the owner continues it",
  async (reason, kill) => {
    const { id, db, clock, emails, run, found } = await freeImport(60);
    await run();
    if (reason === "failed") await env.DB.exec(`${FAILING} BEGIN SELECT raise(abort, 'full'); END`);
    for (let nth = 1; nth <= MAX_ATTEMPTS; nth += 1) {
      expect(await found()).toMatchObject({ state: "running", rows_done: 50, added: 50, stop_reason: null });
      await join(`new${nth}@example.com`, { now: clock.now });
      const killed = await run(kill).catch(() => false);
      expect([killed, emails.get(`new${nth}@example.com`)]).toEqual([reason === "interrupted", 1]);
    }
    // A killed run leaves it to the next one, which makes no further attempt.
    if (reason === "interrupted") expect(await run(kill)).toBe(false);
    expect(await found()).toMatchObject({ state: "stopped", stop_reason: reason, finished_at: clock.now, added: 50 });
    await env.DB.exec("DROP TRIGGER IF EXISTS failing");
    expect(await resumeImport(db, id, clock.now)).toBe(true);
    expect(await resumeImport(db, id, clock.now)).toBe(false);
    await run();
    expect(await found()).toMatchObject({ state: "done", added: 60, stop_reason: null });
  },
);

test.each<[string, end: typeof stopImport, stop_reason: string]>([
  [
    "a day after the import stopped",
    async (db, _, now) => (await deleteOldImports(db, now + DAY + 1)) > 0,
    "interrupted",
  ],
  ["when the owner gives up", stopImport, "owner"],
])("the rest of the file is deleted %s, not before; then the import cannot continue", async (_, end, stop_reason) => {
  const { id, db, clock, run, found } = await freeImport(10);
  for (let nth = 0; nth <= MAX_ATTEMPTS; nth += 1) await run(kill);
  await deleteOldImports(db, clock.now + DAY);
  expect(await rows("import_chunks")).toHaveLength(1);
  await end(db, id, clock.now);
  expect(await rows("import_chunks")).toEqual([]);
  expect(await resumeImport(db, id, clock.now)).toBe(false);
  expect(await found()).toMatchObject({ state: "stopped", stop_reason, finished_at: clock.now });
});
