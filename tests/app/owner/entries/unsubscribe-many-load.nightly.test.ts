import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import type { Mailer } from "#app/email/mailer.server.ts";
import { killedProcess } from "#tests/support/pool/d1.ts";
import { freshDatabaseForEachTest, rows, seedEntries } from "#tests/support/pool/start.ts";
import { finishBulk, runBulk, startUndo, startUnsubscribing } from "#tests/support/pool/unsubscribe-many.ts";

const log = freshDatabaseForEachTest();

const NOW = Date.UTC(2026, 10, 21, 12);
const MANY = 100_000;
const mailer: Mailer = { keyLifetime: 0, send: async () => ({ state: "sent" }) };

/** Everyone by status, and how many emails wait. */
async function counts() {
  const statuses = "SELECT status, count(*) AS count FROM waitlist_emails GROUP BY 1";
  const { results } = await env.DB.prepare(statuses).all<{ status: string; count: number }>();
  const waiting = await env.DB.prepare("SELECT count(*) AS count FROM email_outbox").first<number>("count");
  return { ...Object.fromEntries(results.map(({ status, count }) => [status, count])), waiting };
}

const chunks = () => log.filter((line) => line.includes('"chunk-changed"')).length;

test("100,000 entries are unsubscribed and put back in chunks, each once, although runs are killed within a chunk", {
  timeout: 600_000,
}, async () => {
  await seedEntries(MANY, NOW - 24 * 3_600_000);
  // Every tenth email was sent, and stays on record.
  await env.DB.exec("UPDATE email_outbox SET sent_at = 1 WHERE entry_id % 10 = 0");
  const id = await startUnsubscribing({ source: "landing_page" }, NOW);
  for (const when of ["before", "after"] as const) {
    // The batch of a later chunk of this run.
    const killed = killedProcess(mailer, { step: 4 * 7, when });
    await killed.untilDead(runBulk(NOW, { d1: killed.d1 }));
    expect(killed.wasKilled()).toBe(true);
    const [{ affected, position } = { affected: -1, position: -1 }] = await rows<{
      affected: number;
      position: number;
    }>("bulk_actions");
    expect(affected).toBe(position);
    expect(affected % 500).toBe(0);
    expect(await counts()).toMatchObject({ unsubscribed: affected, active: MANY - affected });
  }
  await finishBulk(id, NOW);
  expect(await counts()).toEqual({ unsubscribed: MANY, waiting: MANY / 10 });
  expect(await rows("bulk_actions")).toMatchObject([{ state: "done", expected: MANY, affected: MANY }]);
  // A killed run cannot say so of its last chunk.
  expect(200 - chunks()).toBeLessThanOrEqual(1);

  const undo = await startUndo(id, NOW);
  const killed = killedProcess(mailer, { step: 4 * 7, when: "after" });
  await killed.untilDead(runBulk(NOW, { d1: killed.d1 }));
  await finishBulk(undo, NOW);
  expect(await counts()).toEqual({ active: MANY, waiting: MANY / 10 });
  expect(await rows("bulk_actions")).toMatchObject([{ id }, { id: undo, state: "done", affected: MANY }]);
});
