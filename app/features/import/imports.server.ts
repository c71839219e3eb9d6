import { and, desc, eq, gte, inArray, isNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { ImportReport } from "#app/features/import/file/check.server.ts";
import type { CsvRow } from "#app/features/import/file/read-csv.server.ts";
import type { ImportSettings } from "#app/features/import/file/to-entry.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { importChunks, imports } from "#app/server/db/schema/imports.server.ts";
import { addJob, deleteWaiting } from "#app/server/queue.server.ts";
import { monthsBefore, utcDay } from "#app/server/time/calendar.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";
import { WAITLIST_RETENTION_MONTHS } from "#app/waitlist/entries/retention.ts";

/* The SQL of imports and of the rows that wait to be imported. */

export interface Import extends Omit<typeof imports.$inferSelect, "settings" | "report"> {
  settings: ImportSettings | null;
  report: ImportReport | null;
}

/** How long the rows of a file wait for the owner. */
const STAGED_FOR: Millis = 24 * 3_600_000;

/** Chunks read with one statement. Each holds at most 500 KB. */
const CHUNKS_AT_ONCE = 5;

export async function findImport(db: Db, id: number): Promise<Import | null> {
  const [found] = await db.select().from(imports).where(eq(imports.id, id));
  return (found as Import | undefined) ?? null;
}

export async function listImports(db: Db, limit: number): Promise<Import[]> {
  return (await db.select().from(imports).orderBy(desc(imports.id)).limit(limit)) as Import[];
}

/** The oldest running import of a file. */
export async function findRunning(db: Db, digest: string): Promise<Import | null> {
  const [found] = await db
    .select()
    .from(imports)
    .where(and(eq(imports.state, "running"), eq(imports.digest, digest)))
    .orderBy(imports.id)
    .limit(1);
  return (found as Import | undefined) ?? null;
}

export async function* stagedRows(db: Db, id: number): AsyncGenerator<CsvRow[]> {
  for (let position = 0; ; position += CHUNKS_AT_ONCE) {
    const found = await db
      .select({ rows: importChunks.rows })
      .from(importChunks)
      .where(and(eq(importChunks.import_id, id), gte(importChunks.position, position)))
      .orderBy(importChunks.position)
      .limit(CHUNKS_AT_ONCE);
    for (const { rows } of found) yield JSON.parse(rows) as CsvRow[];
    if (found.length < CHUNKS_AT_ONCE) return;
  }
}

/** The first chunk's rows. */
export async function firstRows(db: Db, id: number): Promise<CsvRow[]> {
  const [found] = await db
    .select({ rows: importChunks.rows })
    .from(importChunks)
    .where(eq(importChunks.import_id, id))
    .orderBy(importChunks.position)
    .limit(1);
  return found === undefined ? [] : (JSON.parse(found.rows) as CsvRow[]);
}

/** SQL for the next rows of an import in the statement's table `imports`. */
export function nextRows(limit: number): SQL {
  return sql`SELECT value FROM import_chunks, json_each(import_chunks.rows) WHERE import_id = imports.id
    AND import_chunks.position = imports.position AND key >= imports.rows_done ORDER BY key LIMIT ${limit}`;
}

/** How many rows all imports have imported today (UTC). */
export async function importedToday(db: Db, now: EpochMillis): Promise<number> {
  const [today] = await db
    .select({ rows: sql<number>`coalesce(sum(${imports.imported_today}), 0)` })
    .from(imports)
    .where(eq(imports.imported_on, utcDay(now)));
  return today?.rows ?? 0;
}

/** The first and last line in the file of the rows that are next; null if the rest of the file was deleted. */
export async function nextLines(db: Db, id: number, limit: number) {
  const [lines] = await db.all<{ first: number | null; last: number | null }>(
    sql`SELECT lines ->> 0 AS first, lines ->> 1 AS last FROM (
      SELECT (SELECT json_array(min(value ->> 0), max(value ->> 0)) FROM (${nextRows(limit)})) AS lines
      FROM imports WHERE id = ${id})`,
  );
  return lines?.first == null || lines.last === null ? null : { first: lines.first, last: lines.last };
}

/** Stores how a file is to be read, and what was found with it, unless the import has started. */
export async function saveCheck(
  db: Db,
  id: number,
  { settings, report, now }: { settings: ImportSettings; report: ImportReport; now: EpochMillis },
): Promise<void> {
  await db
    .update(imports)
    .set({ settings, report, checked_at: now, state: "checked" })
    .where(and(eq(imports.id, id), inArray(imports.state, ["staged", "checked"])));
}

/** Starts a checked import, unless it was checked again after `checkedAt`: the owner has not seen that check. */
export function confirmImport(db: Db, id: number, checkedAt: EpochMillis, now: EpochMillis): Promise<boolean> {
  const isSeen = and(eq(imports.state, "checked"), eq(imports.checked_at, checkedAt));
  return start(db, id, isSeen, { confirmed_at: now, report: sql`json_remove(${imports.report}, '$.words')` }, now);
}

/** Starts an import again that stopped itself, unless the rest of its file was deleted. @returns whether it did */
export function resumeImport(db: Db, id: number, now: EpochMillis): Promise<boolean> {
  const hasRows = sql`EXISTS (SELECT 1 FROM import_chunks WHERE import_id = ${id})`;
  return start(db, id, and(hasStoppedItself, hasRows), { stop_reason: null, finished_at: null }, now);
}

type Changes = SQLiteUpdateSetSource<typeof imports>;

async function start(db: Db, id: number, condition: SQL | undefined, changes: Changes, now: EpochMillis) {
  const run = db
    .update(imports)
    .set({ ...changes, state: "running" })
    .where(and(eq(imports.id, id), condition))
    .returning({ id: imports.id });
  const job = addJob(db, { kind: "import", subject: id, next_attempt_at: now }, sql`changes() > 0`);
  const [started] = await db.batch([run, job]);
  return started.length > 0;
}

const hasStoppedItself = and(eq(imports.state, "stopped"), ne(imports.stop_reason, "owner"));

/**
 * Stops an import for good, and deletes the rest of its file; the people it has added stay on the list.
 *
 * @returns whether it was running, or had stopped itself
 */
export async function stopImport(db: Db, id: number, now: EpochMillis): Promise<boolean> {
  const { state, finished_at } = imports;
  const stop = db
    .update(imports)
    .set({
      state: "stopped",
      stop_reason: "owner",
      finished_at: sql`coalesce(${finished_at}, ${now})`,
      settings: withoutWords,
    })
    .where(and(eq(imports.id, id), or(eq(state, "running"), hasStoppedItself)))
    .returning({ id: imports.id });
  const isStopped = sql`EXISTS (SELECT 1 FROM imports WHERE id = ${id} AND stop_reason = 'owner')`;
  const [stopped] = await db.batch([
    stop,
    deleteWaiting(db, "import", id, isStopped),
    db.delete(importChunks).where(and(eq(importChunks.import_id, id), isStopped)),
  ]);
  return stopped.length > 0;
}

/** The settings of an import that needs the words of its file no more. */
export const withoutWords = sql`json_remove(${imports.settings}, '$.words')`;

/** Deletes an import that was not confirmed, with its rows. @returns whether there was one */
export async function discardImport(db: Db, id: number): Promise<boolean> {
  const discarded = await db
    .delete(imports)
    .where(and(eq(imports.id, id), isNull(imports.confirmed_at)))
    .returning({ id: imports.id });
  return discarded.length > 0;
}

/**
 * Deletes files that were not confirmed within {@link STAGED_FOR}, with their rows, the rows of imports that stopped
 * themselves that long ago, and the records of imports as old as an entry can become.
 */
export async function deleteOldImports(db: Db, now: EpochMillis): Promise<number> {
  const { id, state, created_at, confirmed_at, finished_at } = imports;
  const oldest = monthsBefore(now, WAITLIST_RETENTION_MONTHS);
  const isForgotten = and(isNull(confirmed_at), lt(created_at, now - STAGED_FOR));
  const isOld = and(lt(created_at, oldest), inArray(state, ["done", "stopped"]));
  const abandoned = db
    .select({ id })
    .from(imports)
    .where(and(eq(state, "stopped"), lt(finished_at, now - STAGED_FOR)));
  const [deleted] = await db.batch([
    db.delete(imports).where(or(isForgotten, isOld)).returning({ id }),
    db.delete(importChunks).where(inArray(importChunks.import_id, abandoned)),
    db
      .update(imports)
      .set({ settings: withoutWords })
      .where(and(inArray(id, abandoned), sql`json_extract(${imports.settings}, '$.words') IS NOT NULL`)),
  ]);
  return deleted.length;
}
