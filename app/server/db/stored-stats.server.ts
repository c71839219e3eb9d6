import { eq, sql } from "drizzle-orm";
import type { PlanLimits } from "#app/server/config/plan-limits.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { storedStats } from "#app/server/db/schema/statistics.server.ts";
import { logError } from "#app/server/log.ts";
import { type EpochMillis, MINUTE, type Millis } from "#app/server/time/units.ts";

export interface Computed<Value> {
  value: Value;
  computedAt: EpochMillis;
}

export interface StatsDeps {
  db: Db;
  now: () => EpochMillis;
  plan: Pick<PlanLimits, "longListStatsAge">;
  waitUntil: (work: Promise<unknown>) => void;
}

/** Stored stats older than this are renewed behind the response. */
const MAX_AGE: Millis = 5 * MINUTE;

/** A list that is long enough to use up the rows read of a day on the free plan. */
const LONG_LIST = 20_000;

interface Source<Value> {
  key: string;
  /** Computes and stores. */
  renew: () => Promise<Computed<Value>>;
  /** How many entries computing it reads. */
  entries: (value: Value) => number;
}

/**
 * The stored stats of a key with the time of their computation. Computed now if none are stored; renewed behind the response
 * if they are old.
 */
export async function readStored<Value>(
  { db, now, plan, waitUntil }: StatsDeps,
  { key, renew, entries }: Source<Value>,
): Promise<Computed<Value>> {
  const [row] = await db.select().from(storedStats).where(eq(storedStats.key, key));
  if (row === undefined) return renew();
  const stored = { value: row.value as Value, computedAt: row.computed_at };
  const maxAge = entries(stored.value) > LONG_LIST ? plan.longListStatsAge : MAX_AGE;
  if (now() - stored.computedAt > maxAge) waitUntil(renew().catch((error) => logError("stats-failed", error)));
  return stored;
}

/** The statement that stores stats in place of older ones. */
export function storeStats(db: Db, rows: (typeof storedStats.$inferInsert)[]) {
  return db
    .insert(storedStats)
    .values(rows)
    .onConflictDoUpdate({
      target: storedStats.key,
      set: { value: sql`excluded.value`, computed_at: sql`excluded.computed_at` },
    });
}
