import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { wrapD1 } from "#app/server/db/wrap-d1.server.ts";
import { type Kill, killedProcess } from "#tests/support/pool/d1.ts";
import { countingMailer } from "#tests/support/pool/emails.ts";
import { emptyDatabase } from "#tests/support/pool/start.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const { mailer } = countingMailer();

/** An import, or a change of many entries, of two turns or more. */
interface Change {
  start: () => Promise<number>;
  run: (d1: D1Database, now: number) => Promise<unknown>;
  stop: (id: number) => Promise<boolean>;
  /** What it comes to. */
  result: object;
}

/** Tests that a change makes the same of each entry, wherever its runs are killed, late or stopped. */
export function testKilled(name: string, { start, run, stop, result }: Change): void {
  describe(name, () => {
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
}

const queries = {
  entries: "SELECT email, status, unsubscribe_reason, bulk_action_id, import_id FROM waitlist_emails ORDER BY id",
  emails: "SELECT entry_id, kind, dedupe_key FROM email_outbox ORDER BY entry_id",
  erased: "SELECT * FROM erased_totals",
  imports: "SELECT state, position, rows_done, added, unsubscribed, suppressed, imported_today FROM imports",
  chunks: "SELECT position FROM import_chunks",
  actions: "SELECT kind, state, position, affected, changed_today FROM bulk_actions",
  waiting: "SELECT * FROM jobs WHERE done_at IS NULL AND dead_at IS NULL",
};

/** Everything that an import or a change may change, but for times. */
async function state(): Promise<Record<string, unknown[]>> {
  const results = await env.DB.batch(Object.values(queries).map((query) => env.DB.prepare(query)));
  return Object.fromEntries(Object.keys(queries).map((name, index) => [name, results[index]?.results ?? []]));
}
