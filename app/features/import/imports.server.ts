import { desc, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { ImportReport } from "#app/features/import/file/check.server.ts";
import type { CsvFile, CsvRow } from "#app/features/import/file/read-csv.server.ts";
import type { ImportSettings } from "#app/features/import/file/to-entry.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { importChunks, imports } from "#app/server/db/schema/imports.server.ts";
import { jobs } from "#app/server/db/schema/jobs.server.ts";
import { runNamed } from "#app/server/db/sql-batch.server.ts";
import { addJob, deleteWaiting, isWaiting } from "#app/server/queue.server.ts";
import { monthsBefore, utcDay } from "#app/server/time/calendar.ts";
import { DAY, type EpochMillis, type Millis } from "#app/server/time/units.ts";
import { WAITLIST_RETENTION_MONTHS } from "#app/waitlist/entries/retention.ts";

/* The SQL of imports and of the rows that wait to be imported. The command line's databases take it too. */

export interface Import extends Omit<typeof imports.$inferSelect, "settings" | "report"> {
  settings: ImportSettings | null;
  report: ImportReport | null;
}

/** How long the rows of a file wait for the owner. */
const STAGED_FOR: Millis = DAY;

/** Stores a file's rows until the owner confirms or discards them. Adds no entries. @returns the import's id */
export async function stageImport(
  db: Db,
  { columns, rows, chunks }: CsvFile,
  { fileName, digest = null, now }: { fileName: string; digest?: string | null; now: EpochMillis },
): Promise<number> {
  const file_name = Array.from(fileName.replace(/\p{C}/gu, "")).slice(0, 100).join("") || "list.csv";
  const [created] = await db
    .insert(imports)
    .values({ file_name, digest, columns, rows, chunks: chunks.length, created_at: now })
    .returning({ id: imports.id });
  const id = created?.id ?? 0;
  // What is stored of a file that is interrupted here is deleted after a day.
  for (const [position, chunk] of chunks.entries()) {
    await db.insert(importChunks).values({ import_id: id, position, rows: chunk });
  }
  await db.update(imports).set({ state: "staged" }).where(eq(imports.id, id));
  return id;
}

export async function findImport(db: Db, id: number): Promise<Import | null> {
  return (await select(db, eq(imports.id, id), 1))[0] ?? null;
}

export function listImports(db: Db, limit: number): Promise<Import[]> {
  return select(db, undefined, limit);
}

/** The newest running import of a file. */
export async function findRunning(db: Db, digest: string): Promise<Import | null> {
  return (await select(db, sql`state = 'running' AND digest = ${digest}`, 1))[0] ?? null;
}

async function select(db: Db, condition: SQL | undefined, limit: number): Promise<Import[]> {
  return (await db.select().from(imports).where(condition).orderBy(desc(imports.id)).limit(limit)) as Import[];
}

/** @param atOnce chunks read with one statement; each holds at most 500 KB */
export async function* stagedRows(db: Db, id: number, atOnce = 5): AsyncGenerator<CsvRow[], undefined> {
  for (let position = 0; ; position += atOnce) {
    const text = `SELECT rows FROM import_chunks WHERE import_id = :id AND position >= :position
      ORDER BY position LIMIT :at_once`;
    const found = await runNamed<{ rows: string }>(db, { text, values: { id, position, at_once: atOnce } });
    for (const { rows } of found) yield JSON.parse(rows) as CsvRow[];
    if (found.length < atOnce) return;
  }
}

/** The first chunk's rows. */
export async function firstRows(db: Db, id: number): Promise<CsvRow[]> {
  return (await stagedRows(db, id, 1).next()).value ?? [];
}

/** SQL for the next rows of an import. */
export function nextRows(id: number, limit: number): SQL {
  return sql`SELECT value
    FROM imports JOIN import_chunks ON import_id = imports.id AND import_chunks.position = imports.position,
      json_each(import_chunks.rows)
    WHERE imports.id = ${id} AND key >= rows_done ORDER BY key LIMIT ${limit}`;
}

/** The first and last line in the file of the rows that are next; null if the rest of the file was deleted. */
export async function nextLines(db: Db, id: number, limit: number) {
  type Lines = { first: number; last: number } | { first: null };
  const [lines] = await db.all<Lines>(
    sql`SELECT min(value ->> 0) AS first, max(value ->> 0) AS last FROM (${nextRows(id, limit)})`,
  );
  return lines?.first == null ? null : lines;
}

/** How many rows all imports have imported today (UTC). */
export async function importedToday(db: Db, now: EpochMillis): Promise<number> {
  return (await db.all<{ rows: number }>(sql`SELECT ${rowsToday(now)} AS rows`))[0]?.rows ?? 0;
}

/** SQL for the same. */
export function rowsToday(now: EpochMillis): SQL<number> {
  return sql`(SELECT coalesce(sum(imported_today), 0) FROM imports WHERE imported_on = ${utcDay(now)})`;
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
    .where(sql`id = ${id} AND state IN ('staged', 'checked')`);
}

/** Starts a checked import, unless it was checked again after `checkedAt`: the owner has not seen that check. */
export function confirmImport(db: Db, id: number, checkedAt: EpochMillis, now: EpochMillis): Promise<boolean> {
  const isSeen = sql`id = ${id} AND state = 'checked' AND checked_at = ${checkedAt}`;
  return start(db, id, isSeen, { confirmed_at: now, report: sql`json_remove(report, '$.words')` }, now);
}

/** Starts an import again that stopped itself, unless the rest of its file was deleted. @returns whether it did */
export function resumeImport(db: Db, id: number, now: EpochMillis): Promise<boolean> {
  const hasRows = sql`EXISTS (SELECT 1 FROM import_chunks WHERE import_id = ${id})`;
  const canResume = sql`id = ${id} AND ${hasStoppedItself} AND ${hasRows}`;
  return start(db, id, canResume, { stop_reason: null, finished_at: null }, now);
}

type Changes = SQLiteUpdateSetSource<typeof imports>;

/** Its job first, and one: an import that runs without one would never end. */
async function start(db: Db, id: number, condition: SQL, changes: Changes, now: EpochMillis): Promise<boolean> {
  const isWithoutJob = sql`EXISTS (SELECT 1 FROM imports WHERE ${condition}) AND NOT EXISTS (
    SELECT 1 FROM jobs WHERE kind = 'import' AND subject = ${id} AND ${isWaiting(jobs)})`;
  const run = db.update(imports).set({ ...changes, state: "running" });
  const [, started] = await db.batch([
    addJob(db, { kind: "import", subject: id, next_attempt_at: now }, isWithoutJob),
    run.where(condition).returning({ id: imports.id }),
  ]);
  return started.length > 0;
}

const hasStoppedItself = sql`(state = 'stopped' AND stop_reason <> 'owner')`;

/** The settings of an import that needs the words and lines of its file no more. */
export const WITHOUT_WORDS = "json_remove(settings, '$.words', '$.later', '$.repeats')";
const withoutWords = sql.raw(WITHOUT_WORDS);

/**
 * Stops an import for good, and deletes the rest of its file; the people it has added stay on the list.
 *
 * @returns whether it was running, or had stopped itself
 */
export async function stopImport(db: Db, id: number, now: EpochMillis): Promise<boolean> {
  const finished_at = sql`coalesce(finished_at, ${now})`;
  const isStopped = sql`EXISTS (SELECT 1 FROM imports WHERE id = ${id} AND stop_reason = 'owner')`;
  const [stopped] = await db.batch([
    db
      .update(imports)
      .set({ state: "stopped", stop_reason: "owner", finished_at, settings: withoutWords })
      .where(sql`id = ${id} AND (state = 'running' OR ${hasStoppedItself})`)
      .returning({ id: imports.id }),
    deleteWaiting(db, "import", id, isStopped),
    db.delete(importChunks).where(sql`import_id = ${id} AND ${isStopped}`),
  ]);
  return stopped.length > 0;
}

/** Deletes an import that was not confirmed, with its rows. @returns whether there was one */
export async function discardImport(db: Db, id: number): Promise<boolean> {
  const isUnconfirmed = sql`id = ${id} AND confirmed_at IS NULL`;
  return (await db.delete(imports).where(isUnconfirmed).returning({ id: imports.id })).length > 0;
}

/**
 * Deletes files that were not confirmed within {@link STAGED_FOR}, with their rows, what is left of the files of imports
 * that ended that long ago, and the records of imports as old as an entry can become.
 */
export async function deleteOldImports(db: Db, now: EpochMillis): Promise<number> {
  const oldest = monthsBefore(now, WAITLIST_RETENTION_MONTHS);
  const hasEnded = sql`state IN ('done', 'stopped')`;
  const isForgotten = sql`(confirmed_at IS NULL AND created_at < ${now - STAGED_FOR})`;
  const isOver = sql`(${hasEnded} AND finished_at < ${now - STAGED_FOR})`;
  const [deleted] = await db.batch([
    db
      .delete(imports)
      .where(sql`${isForgotten} OR (${hasEnded} AND created_at < ${oldest})`)
      .returning({ id: imports.id }),
    db.delete(importChunks).where(sql`import_id IN (SELECT id FROM imports WHERE ${isOver})`),
    db.update(imports).set({ settings: withoutWords }).where(sql`${isOver} AND settings IS NOT ${withoutWords}`),
  ]);
  return deleted.length;
}
