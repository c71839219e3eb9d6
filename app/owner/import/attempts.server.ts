import { and, eq, getTableColumns, lte, type SQL, sql } from "drizzle-orm";
import type { Import } from "#app/owner/import/imports.server.ts";
import type { CsvRow } from "#app/owner/import/read-csv.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { type ImportStopReason, imports } from "#app/server/db/schema/imports.server.ts";

/*
 * Attempts at the next rows of an import. Each is counted before its work: Cloudflare ends an invocation that uses too
 * much CPU time or memory, and nothing in JavaScript can catch that.
 * https://developers.cloudflare.com/workers/platform/limits/#cpu-time
 */

/** Attempts at the same rows that stop an import. */
export const MAX_ATTEMPTS = 3;

/** Well over the time that one attempt takes, and less than that between two runs of the cron job (milliseconds). */
const ATTEMPT_LEASE = 30_000;

/** The rows of one attempt, and the import with its new count. */
export interface ClaimedRows {
  found: Import;
  rows: CsvRow[];
  /** Whether they are the last of their chunk. */
  endsChunk: boolean;
}

/**
 * Leases the next rows of the oldest running import that no other run works on, and counts the attempt. If the attempts
 * before it were too many, stops the import instead.
 *
 * @param limit how many rows
 * @returns null if there is no such import
 */
export async function claimRows(db: Db, { now, limit }: { now: number; limit: number }): Promise<ClaimedRows | null> {
  const { id, state, failures, leased_until } = imports;
  const oldest = db
    .select({ id })
    .from(imports)
    .where(and(eq(state, "running"), lte(leased_until, now)))
    .orderBy(id)
    .limit(1);
  const isStuck = sql`${failures} >= ${MAX_ATTEMPTS}`;
  // One more, which says whether the chunk goes on.
  const next = sql<string>`(SELECT json_group_array(json(value)) FROM (${nextRows(claimedImport, limit + 1)}))`;
  const [claimed] = await db
    .update(imports)
    .set({
      failures: sql`iif(${isStuck}, ${failures}, ${failures} + 1)`,
      leased_until: now + ATTEMPT_LEASE,
      ...stopIf(isStuck, "killed", now),
    })
    .where(eq(id, oldest))
    .returning({ ...getTableColumns(imports), next: next.as("next_rows") });
  if (claimed === undefined) return null;
  const { next: json, ...found } = claimed as typeof claimed & Import;
  const rows = JSON.parse(json) as CsvRow[];
  return { found, rows: rows.slice(0, limit), endsChunk: rows.length <= limit };
}

/**
 * Records that claimed rows could not be imported.
 *
 * @returns the import, if that has happened too often and has stopped it
 */
export async function recordFailure(db: Db, found: Import, now: number): Promise<Import | null> {
  const [recorded] = await db
    .update(imports)
    .set({ leased_until: 0, ...stopIf(sql`${imports.failures} >= ${MAX_ATTEMPTS}`, "failures", now) })
    .where(isAt(found))
    .returning();
  return recorded?.state === "stopped" ? (recorded as Import) : null;
}

/** Starts an import again that stopped itself, unless the rest of its file was deleted. @returns whether it did */
export async function resumeImport(db: Db, importId: number): Promise<boolean> {
  const { id, state, stop_reason } = imports;
  const hasRows = sql`EXISTS (SELECT 1 FROM import_chunks WHERE import_id = ${importId})`;
  const resumed = await db
    .update(imports)
    .set({ state: "running", failures: 0, leased_until: 0, stop_reason: null, finished_at: null })
    .where(and(eq(id, importId), eq(state, "stopped"), sql`${stop_reason} <> 'owner'`, hasRows))
    .returning({ id });
  return resumed.length > 0;
}

/** The first and last line in the file of the rows that are next; null if the rest of the file was deleted. */
export async function nextLines(db: Db, { id, position, rows_done }: Import, limit: number) {
  const rows = nextRows({ id: sql`${id}`, position: sql`${position}`, done: sql`${rows_done}` }, limit);
  const [lines] = await db.all<{ first: number | null; last: number | null }>(
    sql`SELECT min(value ->> 0) AS first, max(value ->> 0) AS last FROM (${rows})`,
  );
  return lines?.first == null || lines.last === null ? null : { first: lines.first, last: lines.last };
}

/** Whether an import runs and is where it was: the condition of all that an attempt writes. */
export function isAt({ id, position, rows_done }: Import) {
  return and(
    eq(imports.id, id),
    eq(imports.state, "running"),
    eq(imports.position, position),
    eq(imports.rows_done, rows_done),
  );
}

function nextRows({ id, position, done }: Record<"id" | "position" | "done", SQL>, limit: number): SQL {
  return sql`SELECT value FROM import_chunks, json_each(import_chunks.rows)
    WHERE import_id = ${id} AND import_chunks.position = ${position} AND key >= ${done} ORDER BY key LIMIT ${limit}`;
}

const claimedImport = { id: sql`imports.id`, position: sql`imports.position`, done: sql`imports.rows_done` };

function stopIf(condition: SQL, reason: ImportStopReason, now: number) {
  return {
    state: sql`iif(${condition}, 'stopped', ${imports.state})`,
    stop_reason: sql`iif(${condition}, ${reason}, NULL)`,
    finished_at: sql`iif(${condition}, ${now}, NULL)`,
  };
}
