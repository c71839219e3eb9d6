import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { startBulkAction, stopBulkAction } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { stopImport } from "#app/features/import/imports.server.ts";
import { wrapD1 } from "#app/server/db/wrap-d1.server.ts";
import { finishBulk, runBulk, startUndo, startUnsubscribing } from "#tests/features/entries/pool/unsubscribe-many.ts";
import { peopleCsv } from "#tests/features/import/import-files.ts";
import { importHarness, NOW } from "#tests/features/import/pool/imports.ts";
import { type Kill, killedProcess } from "#tests/support/pool/d1.ts";
import { countingMailer } from "#tests/support/pool/emails.ts";
import { db, emptyDatabase, freshDatabaseForEachTest, seedEntries } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const { mailer } = countingMailer();

/** An import, or a change of many entries, of two turns or more. */
interface Change {
  start: () => Promise<number>;
  run: (d1: D1Database, now: number) => Promise<unknown>;
  stop: (id: number) => Promise<boolean>;
  /** What it comes to. */
  result: object;
}

async function seed(): Promise<void> {
  await seedEntries(501, NOW - DAY);
  await env.DB.exec("UPDATE email_outbox SET done_at = 1 WHERE entry_id % 3 = 0");
}

const change = {
  run: (d1: D1Database, now: number) => runBulk(now, { d1 }),
  stop: (id: number) => stopBulkAction(db, id, NOW),
};

const changes: Record<string, Change> = {
  "an import": {
    async start() {
      const { check, confirm } = importHarness();
      const { id } = await check(peopleCsv(1_030), { welcome: true });
      await confirm(id);
      return id;
    },
    // So that turns end within a chunk of the file, and at its end.
    run: (d1, now) => importHarness(d1).run(1_000, 600, now),
    stop: (id) => stopImport(db, id, NOW),
    result: { entries: { length: 1_030 }, emails: { length: 1_030 }, imports: [{ state: "done", added: 1_030 }] },
  },
  "an erasure": {
    async start() {
      await seed();
      const erasure = { kind: "erase", selection: {}, newestEntryId: 501, expected: 501, now: NOW } as const;
      return (await startBulkAction(db, erasure)) ?? 0;
    },
    ...change,
    result: { entries: [], emails: [], erased: [{ count: 501 }], actions: [{ state: "done", affected: 501 }] },
  },
  unsubscribing: {
    async start() {
      await seed();
      return startUnsubscribing({}, NOW);
    },
    ...change,
    result: { emails: { length: 167 }, actions: [{ state: "done", affected: 501 }] },
  },
  "undoing it": {
    async start() {
      await seed();
      const id = await startUnsubscribing({}, NOW);
      await finishBulk(id, NOW);
      return startUndo(id, NOW);
    },
    ...change,
    result: { emails: { length: 167 }, actions: [{}, { state: "done", affected: 501 }] },
  },
};

const queries = {
  entries: "SELECT email, status, unsubscribe_reason, bulk_action_id, import_id FROM waitlist_emails ORDER BY id",
  emails: "SELECT entry_id, kind, dedupe_key FROM email_outbox ORDER BY entry_id",
  erased: "SELECT * FROM erased_totals",
  imports: "SELECT state, position, rows_done, added, suppressed, imported_today FROM imports",
  chunks: "SELECT position FROM import_chunks",
  actions: "SELECT kind, state, position, affected, changed_today FROM bulk_actions",
  waiting: "SELECT * FROM jobs WHERE done_at IS NULL AND dead_at IS NULL",
};

/** Everything that an import or a change may change, but for times. */
async function state(): Promise<Record<string, unknown[]>> {
  const results = await env.DB.batch(Object.values(queries).map((query) => env.DB.prepare(query)));
  return Object.fromEntries(Object.keys(queries).map((name, index) => [name, results[index]?.results ?? []]));
}

describe.each(Object.entries(changes))("%s", (_, { start, run, stop, result }) => {
  /** Runs it undisturbed. @returns what it came to, and the steps of the run */
  async function whole() {
    await start();
    const { d1, steps } = killedProcess(mailer);
    await run(d1, NOW);
    const expected = await state();
    expect(expected).toMatchObject({ ...result, chunks: [], waiting: [] });
    return { expected, steps: Array.from({ length: steps() }, (_step, index) => index + 1) };
  }

  async function again(): Promise<number> {
    await emptyDatabase();
    return start();
  }

  test("that is killed before or after any step of a run goes on, and changes each person once", async () => {
    const { expected, steps } = await whole();
    expect(steps.length).toBeGreaterThan(8);
    for (const kill of steps.flatMap((step): Kill[] => ["before", "after"].map((when) => ({ step, when }) as Kill))) {
      await again();
      const { d1, untilDead, wasKilled } = killedProcess(mailer, kill);
      await untilDead(run(d1, NOW));
      expect(wasKilled()).toBe(true);
      // The lease has ended.
      await run(env.DB, NOW + MINUTE);
      expect(await state(), JSON.stringify(kill)).toEqual(expected);
    }
  });

  test.each([1, 2])(
    "whose batch %i comes late, when another run has taken over, changes each person once",
    async (nth) => {
      const { expected, steps } = await whole();
      for (const step of steps) {
        await again();
        const [ready, due, arrived] = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
        let batches = 0;
        const late = wrapD1(env.DB, async (work, { length }) => {
          batches += length > 1 ? 1 : 0;
          if (batches !== nth || length === 1) return work();
          ready?.resolve();
          await due?.promise;
          return work().finally(arrived?.resolve);
        });
        const first = run(late, NOW);
        await ready?.promise;
        let made = 0;
        const next = wrapD1(env.DB, async (work) => {
          made += 1;
          if (made === step) due?.resolve();
          if (made === step) await arrived?.promise;
          return work();
        });
        await run(next, NOW + MINUTE);
        due?.resolve();
        await first;
        await run(env.DB, NOW + 2 * MINUTE);
        expect(await state(), `before step ${step}`).toEqual(expected);
      }
      await again();
      await Promise.all([run(env.DB, NOW), run(env.DB, NOW), run(env.DB, NOW)]);
      expect(await state()).toEqual(expected);
    },
  );

  test("that is stopped while a turn prepares its rows changes nothing more, and leaves no job", async () => {
    const id = await start();
    const { entries, emails } = await state();
    const d1 = wrapD1(env.DB, async (work, { length }) => {
      if (length > 1) await stop(id);
      return work();
    });
    await run(d1, NOW);
    await run(env.DB, NOW + MINUTE);
    const after = await state();
    expect(after).toMatchObject({ entries, emails, waiting: [], chunks: [] });
    expect([after["imports"], after["actions"]].flat().at(-1)).toMatchObject({ state: "stopped" });
  });
});
