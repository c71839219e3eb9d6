import { env } from "cloudflare:test";
import { startBulkAction, stopBulkAction } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { finishBulk, runBulk, startUndo, startUnsubscribing } from "#tests/features/entries/pool/unsubscribe-many.ts";
import { testKilled } from "#tests/support/pool/killed-changes.ts";
import { db, freshDatabaseForEachTest, seedEntries } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const NOW = Date.UTC(2026, 10, 21, 12);
const DAY = 24 * 3_600_000;

async function seed(): Promise<void> {
  await seedEntries(501, NOW - DAY);
  await env.DB.exec("UPDATE email_outbox SET done_at = 1 WHERE entry_id % 3 = 0");
}

const change = {
  run: (d1: D1Database, now: number) => runBulk(now, { d1 }),
  stop: (id: number) => stopBulkAction(db, id, NOW),
};

const changes: Record<string, Parameters<typeof testKilled>[1]> = {
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

for (const [name, change] of Object.entries(changes)) testKilled(name, change);
