import { and, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import { type AffectedRows, countAffectedRows, rowsToWrite } from "#app/owner/entries/bulk/affected-rows.server.ts";
import {
  type BulkAction,
  findRunningBulkAction,
  rowsWrittenToday,
  withoutSearch,
} from "#app/owner/entries/bulk/bulk-actions.server.ts";
import { utcDay } from "#app/server/calendar.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { bulkActions } from "#app/server/db/schema/bulk.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { logInfo } from "#app/server/log.ts";
import { maxBulkWrites, type WorkersPlan } from "#app/server/plan-limits.ts";
import { type EntrySelection, isSelected } from "#app/waitlist/entry-conditions.server.ts";
import { eraseStatements } from "#app/waitlist/erase-entries.server.ts";
import { isRestorable, restoreStatement, unsubscribeStatements } from "#app/waitlist/unsubscribe-many.server.ts";

export interface BulkDeps {
  db: Db;
  workersPlan: WorkersPlan;
  /** Milliseconds since 1970. */
  now: () => number;
}

interface Budget {
  /** D1 statements that the invocation has left. */
  statements: number;
  /** No further chunk is begun after this time (milliseconds since 1970). */
  until: number;
}

/** Entries that are changed together: D1 runs one statement at a time, and sign-ups wait for it. */
export const CHANGED_AT_ONCE = 500;

/** Statements of a chunk at most: read the action and its day, count the chunk, advance, and erase with its two totals. */
const CHUNK_STATEMENTS = 7;

/** How long an invocation begins chunks: Cloudflare allows 30 seconds after a response (milliseconds). */
const RUN_TIME = 20_000;

/**
 * What an invocation may do. On the free plan it changes one chunk: when entries are erased, a day's rows are used up
 * within a quarter of an hour anyway.
 *
 * @param subrequests D1 statements that it has left
 */
export function bulkBudget(plan: WorkersPlan, subrequests: number, now: number): Budget {
  return { statements: plan === "free" ? Math.min(subrequests, CHUNK_STATEMENTS) : subrequests, until: now + RUN_TIME };
}

/**
 * Continues the running action, as far as the budget and the day's rows allow. Each chunk is one D1 batch with the
 * action's position: however often this is interrupted, repeated or run at the same time, no entry is changed or counted
 * twice.
 */
export async function continueBulkAction(deps: BulkDeps, budget: Budget): Promise<void> {
  const { db, workersPlan, now } = deps;
  for (let left = budget.statements; left >= CHUNK_STATEMENTS && now() < budget.until; left -= CHUNK_STATEMENTS) {
    const found = await findRunningBulkAction(db);
    if (found === null || (await rowsWrittenToday(db, now())) >= maxBulkWrites[workersPlan]) return;
    await changeChunk(db, found, now());
  }
}

async function changeChunk(db: Db, found: BulkAction, now: number): Promise<void> {
  const { id, kind, position, newest_entry_id, expected, affected } = found;
  const limit = Math.min(CHANGED_AT_ONCE, expected - affected);
  const left = and(isConcerned(db, found, now), gt(waitlistEmails.id, position));
  const rows = await countAffectedRows(db, kind, and(left, lte(waitlistEmails.id, newest_entry_id)), limit);
  const isLast = rows.entries < CHANGED_AT_ONCE || rows.entries === expected - affected;
  const chunk = and(left, lte(waitlistEmails.id, rows.last ?? position)) as SQL;
  const [[advanced]] = await db.batch([
    advance(db, found, { chunk, rows, isLast, now }),
    // The update above is refused where another run has changed this chunk, or an owner has stopped the action.
    ...changeStatements(db, found, and(sql`changes() > 0`, chunk) as SQL, { upTo: rows.last ?? position, now }),
  ]);
  if (advanced !== undefined) logInfo("chunk-changed", { bulkActionId: id, kind, ...advanced });
}

/**
 * The entries that an action changes. Those that have come to be otherwise stay as they are, such as people who have
 * confirmed their address, or who have left by themselves.
 */
export function isConcerned(
  db: Db,
  { kind, undoes, ...of }: Pick<BulkAction, "kind" | "undoes" | "filter" | "search" | "time_zone">,
  now: number,
): SQL | undefined {
  if (kind === "undo") return isRestorable(undoes ?? 0, now);
  const selection: EntrySelection = { ...of.filter, search: of.search ?? undefined, timeZone: of.time_zone, now };
  const selected = isSelected(db, selection);
  return kind === "erase" ? selected : and(selected, eq(waitlistEmails.status, "active"));
}

/** The statements that change a chunk. The condition uses the changes of the statement before them. */
function changeStatements(
  db: Db,
  { id, kind, position }: BulkAction,
  condition: SQL,
  { upTo, now }: { upTo: number; now: number },
) {
  if (kind === "erase") return eraseStatements(db, condition, now);
  if (kind === "undo") return [restoreStatement(db, condition)];
  return unsubscribeStatements(db, id, condition, { after: position, upTo }, now);
}

interface Chunk {
  chunk: SQL;
  rows: AffectedRows;
  isLast: boolean;
  now: number;
}

function advance(db: Db, found: BulkAction, { chunk, rows, isLast, now }: Chunk) {
  const { id, state, position, affected, rows_written, written_on } = bulkActions;
  const today = utcDay(now);
  const entries = db.select({ count: sql`count(*)` }).from(waitlistEmails).where(chunk);
  return db
    .update(bulkActions)
    .set({
      position: rows.last ?? found.position,
      affected: sql`${affected} + (${entries})`,
      rows_written: sql`iif(${written_on} = ${today}, ${rows_written}, 0) + ${rowsToWrite(found.kind, rows)}`,
      written_on: today,
      ...(isLast ? { state: "done" as const, finished_at: now, search: withoutSearch } : {}),
    })
    .where(and(eq(id, found.id), eq(state, "running"), eq(position, found.position)))
    .returning({ state, affected });
}
