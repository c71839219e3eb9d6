import { and, eq, lt, ne, sql } from "drizzle-orm";
import { erasures } from "#app/owner/entries/erase-many/schema.server.ts";
import { monthsBefore, utcDay } from "#app/server/calendar.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { insertWhere } from "#app/server/db/insert-where.server.ts";
import type { EntrySelection } from "#app/waitlist/entry-conditions.server.ts";

/* The SQL of erasures themselves. What they erase is in `erase-chunks.server.ts`. */

export type Erasure = typeof erasures.$inferSelect;

/** How long an ended erasure stays, like the action in the owners' log that links to it (months). */
const ERASURE_RETENTION_MONTHS = 12;

interface NewErasure {
  selection: EntrySelection;
  newestEntryId: number;
  /** How many entries the owner confirmed. */
  expected: number;
  now: number;
}

/**
 * Starts an erasure, unless one is running: its entries may be among the same ones.
 *
 * @returns its id, or null
 */
export async function startErasure(
  db: Db,
  { selection, newestEntryId, expected, now }: NewErasure,
): Promise<number | null> {
  const { search, timeZone = "UTC", mayGetEmail: _, ...filter } = selection;
  const [started] = await insertWhere(db, erasures, sql`NOT EXISTS (SELECT 1 FROM erasures WHERE state = 'running')`)
    .values({
      filter,
      search: search || null,
      time_zone: timeZone,
      newest_entry_id: newestEntryId,
      expected,
      confirmed_at: now,
    })
    .returning({ id: erasures.id });
  return started?.id ?? null;
}

export async function findErasure(db: Db, id: number): Promise<Erasure | null> {
  const [found] = await db.select().from(erasures).where(eq(erasures.id, id));
  return found ?? null;
}

export async function findRunningErasure(db: Db): Promise<Erasure | null> {
  const [found] = await db.select().from(erasures).where(eq(erasures.state, "running")).limit(1);
  return found ?? null;
}

/** How many rows erasures have written today (UTC). */
export async function rowsWrittenToday(db: Db, now: number): Promise<number> {
  const [today] = await db
    .select({ rows: sql<number>`coalesce(sum(${erasures.rows_written}), 0)` })
    .from(erasures)
    .where(eq(erasures.written_on, utcDay(now)));
  return today?.rows ?? 0;
}

/** Stops an erasure for good. What it has erased does not come back. @returns whether it was running */
export async function stopErasure(db: Db, id: number, now: number): Promise<boolean> {
  const stopped = await db
    .update(erasures)
    .set({ state: "stopped", finished_at: now, search: withoutSearch })
    .where(and(eq(erasures.id, id), eq(erasures.state, "running")))
    .returning({ id: erasures.id });
  return stopped.length > 0;
}

/** The search of an erasure that ends. */
export const withoutSearch = sql`iif(${erasures.search} IS NULL, NULL, '')`;

export async function deleteOldErasures(db: Db, now: number): Promise<void> {
  const oldest = monthsBefore(now, ERASURE_RETENTION_MONTHS);
  await db.delete(erasures).where(and(ne(erasures.state, "running"), lt(erasures.finished_at, oldest)));
}
