import { and, eq, lt, ne, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { insertWhere } from "#app/server/db/insert-where.server.ts";
import { type BulkKind, bulkActions } from "#app/server/db/schema/bulk.server.ts";
import { logInfo } from "#app/server/log.ts";
import { addJob, deleteWaiting } from "#app/server/queue.server.ts";
import { monthsBefore, utcDay } from "#app/server/time/calendar.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";
import type { EntryFilter, EntrySelection } from "#app/waitlist/filter/filters.server.ts";

export type BulkAction = typeof bulkActions.$inferSelect;

/** How long an ended action stays, like the line in the owners' log that links to it (months). */
const BULK_RETENTION_MONTHS = 12;

/** How long an owner can put back people who were unsubscribed together. */
export const UNDO_PERIOD: Millis = 30 * 24 * 3_600_000;

export interface NewBulkAction {
  kind: BulkKind;
  selection: EntrySelection;
  /** Of an `undo`: the action that it reverses. */
  undoes?: number;
  newestEntryId: number;
  /** How many entries the owner confirmed. */
  expected: number;
  now: EpochMillis;
}

/** Starts an action, unless one is running: its entries may be among the same ones. @returns its id, or null */
export async function startBulkAction(db: Db, started: NewBulkAction): Promise<number | null> {
  const { kind, selection, undoes = null, newestEntryId, expected, now } = started;
  const { search, timeZone = "UTC", mayGetEmail: _, ...filter } = selection;
  const isFree = sql`NOT EXISTS (SELECT 1 FROM bulk_actions WHERE state = 'running' OR undoes = ${undoes})`;
  const insert = insertWhere(db, bulkActions, isFree)
    .values({
      kind,
      undoes,
      filter,
      search: search || null,
      time_zone: timeZone,
      newest_entry_id: newestEntryId,
      expected,
      confirmed_at: now,
    })
    .returning({ id: bulkActions.id });
  const job = { kind: "change", subject: sql`last_insert_rowid()`, next_attempt_at: now } as const;
  const [[row]] = await db.batch([insert, addJob(db, job, sql`changes() > 0`)]);
  return row?.id ?? null;
}

export async function findBulkAction(db: Db, id: number): Promise<BulkAction | null> {
  const [found] = await db.select().from(bulkActions).where(eq(bulkActions.id, id));
  return found ?? null;
}

export async function findRunningBulkAction(db: Db): Promise<BulkAction | null> {
  const [found] = await db.select().from(bulkActions).where(eq(bulkActions.state, "running")).limit(1);
  return found ?? null;
}

export async function findUndo(db: Db, id: number): Promise<number | null> {
  const [found] = await db.select({ id: bulkActions.id }).from(bulkActions).where(eq(bulkActions.undoes, id));
  return found?.id ?? null;
}

/** Whether an action undoes an import: it unsubscribes those of its people whom no one has touched since. */
export function undoesImport({ kind, filter }: { kind: BulkKind; filter: EntryFilter }): boolean {
  return kind === "unsubscribe" && typeof filter.imported === "number" && filter.untouched === true;
}

/**
 * Starts to erase the people of an undone import {@link UNDO_PERIOD} after it has ended, unless an owner has put them back
 * or has erased them already. Those who have left by themselves or rejoined since are no longer its people. Starts one at
 * a time: a later run starts the next.
 */
export async function eraseUndoneImport(db: Db, now: EpochMillis): Promise<void> {
  const [undone] = await db.all<Pick<BulkAction, "id" | "affected" | "newest_entry_id">>(sql`
    SELECT id, affected, newest_entry_id FROM bulk_actions AS undone
    WHERE kind = 'unsubscribe' AND finished_at <= ${now - UNDO_PERIOD} AND affected > 0
      AND json_type(filter, '$.imported') = 'integer' AND filter ->> 'untouched'
      AND NOT EXISTS (SELECT 1 FROM bulk_actions AS later WHERE later.undoes = undone.id
        OR (later.kind = 'erase' AND later.search IS NULL AND later.filter = json_object('unsubscribed_by', undone.id)))
    ORDER BY id LIMIT 1`);
  if (undone === undefined) return;
  const { id, affected: expected, newest_entry_id: newestEntryId } = undone;
  const erase = { kind: "erase", selection: { unsubscribed_by: id }, newestEntryId, expected, now } as const;
  const bulkActionId = await startBulkAction(db, erase);
  if (bulkActionId !== null) logInfo("undone-import-erased", { bulkActionId, unsubscribedBy: id });
}

/** How many records bulk actions have changed today (UTC). */
export async function changedToday(db: Db, now: EpochMillis): Promise<number> {
  const [today] = await db
    .select({ records: sql<number>`coalesce(sum(${bulkActions.changed_today}), 0)` })
    .from(bulkActions)
    .where(eq(bulkActions.changed_on, utcDay(now)));
  return today?.records ?? 0;
}

/** Stops an action for good. What it has changed stays so. @returns whether it was running */
export async function stopBulkAction(db: Db, id: number, now: EpochMillis): Promise<boolean> {
  const stop = db
    .update(bulkActions)
    .set({ state: "stopped", finished_at: now, search: withoutSearch })
    .where(and(eq(bulkActions.id, id), eq(bulkActions.state, "running")))
    .returning({ id: bulkActions.id });
  const [stopped] = await db.batch([stop, deleteWaiting(db, "change", id)]);
  return stopped.length > 0;
}

/** The search of an action that ends. */
export const withoutSearch = sql`iif(${bulkActions.search} IS NULL, NULL, '')`;

export async function deleteOldBulkActions(db: Db, now: EpochMillis): Promise<void> {
  const oldest = monthsBefore(now, BULK_RETENTION_MONTHS);
  await db.delete(bulkActions).where(and(ne(bulkActions.state, "running"), lt(bulkActions.finished_at, oldest)));
}
