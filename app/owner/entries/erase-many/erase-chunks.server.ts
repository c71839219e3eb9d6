import { and, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import { countErasedRows, type ErasedRows, rowsToErase } from "#app/owner/entries/erase-many/erased-rows.server.ts";
import {
  type Erasure,
  findRunningErasure,
  rowsWrittenToday,
  withoutSearch,
} from "#app/owner/entries/erase-many/erasures.server.ts";
import { erasures } from "#app/owner/entries/erase-many/schema.server.ts";
import { utcDay } from "#app/server/calendar.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { logInfo } from "#app/server/log.ts";
import { maxEraseWrites, type WorkersPlan } from "#app/server/plan-limits.ts";
import { eraseStatements } from "#app/waitlist/entries.server.ts";
import { type EntrySelection, isSelected } from "#app/waitlist/entry-conditions.server.ts";

export interface ErasureDeps {
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

/** Entries that are erased together: D1 runs one statement at a time, and sign-ups wait for it. */
export const ERASED_AT_ONCE = 500;

/** Statements of a chunk: read the erasure and its day, count the chunk, advance, and erase with its two totals. */
const CHUNK_STATEMENTS = 7;

/** How long an invocation begins chunks: Cloudflare allows 30 seconds after a response (milliseconds). */
const RUN_TIME = 20_000;

/**
 * What an invocation may do. On the free plan it erases one chunk: a day's rows are used up within a quarter of an hour
 * anyway.
 *
 * @param subrequests D1 statements that it has left
 */
export function erasureBudget(plan: WorkersPlan, subrequests: number, now: number): Budget {
  return { statements: plan === "free" ? Math.min(subrequests, CHUNK_STATEMENTS) : subrequests, until: now + RUN_TIME };
}

/**
 * Continues the running erasure, as far as the budget and the day's rows allow. Each chunk is one D1 batch with the
 * erasure's position: however often this is interrupted, repeated or run at the same time, nothing is erased or counted
 * twice.
 */
export async function continueErasure(deps: ErasureDeps, budget: Budget): Promise<void> {
  const { db, workersPlan, now } = deps;
  for (let left = budget.statements; left >= CHUNK_STATEMENTS && now() < budget.until; left -= CHUNK_STATEMENTS) {
    const found = await findRunningErasure(db);
    if (found === null || (await rowsWrittenToday(db, now())) >= maxEraseWrites[workersPlan]) return;
    await eraseChunk(db, found, now());
  }
}

async function eraseChunk(db: Db, found: Erasure, now: number): Promise<void> {
  const { id, position, newest_entry_id, expected, erased } = found;
  const limit = Math.min(ERASED_AT_ONCE, expected - erased);
  const rows = await countErasedRows(db, and(isLeft(db, found), lte(waitlistEmails.id, newest_entry_id)), limit);
  const isLast = rows.entries < ERASED_AT_ONCE || rows.entries === expected - erased;
  const chunk = and(isLeft(db, found), lte(waitlistEmails.id, rows.last ?? position)) as SQL;
  const [[advanced]] = await db.batch([
    advance(db, found, { chunk, rows, isLast, now }),
    // The update above is refused where another run has erased this chunk, or an owner has stopped the erasure.
    ...eraseStatements(db, and(sql`changes() > 0`, chunk) as SQL, now),
  ]);
  if (advanced !== undefined) logInfo("chunk-erased", { erasureId: id, ...advanced });
}

/** The entries that an erasure has not passed. Entries that no longer match its filter stay, such as confirmed ones. */
function isLeft(db: Db, found: Erasure): SQL | undefined {
  return and(isSelected(db, selectionOf(found)), gt(waitlistEmails.id, found.position));
}

function selectionOf({ filter, search, time_zone }: Erasure): EntrySelection {
  return { ...filter, search: search ?? undefined, timeZone: time_zone };
}

interface Chunk {
  chunk: SQL;
  rows: ErasedRows;
  isLast: boolean;
  now: number;
}

function advance(db: Db, found: Erasure, { chunk, rows, isLast, now }: Chunk) {
  const { id, state, position, erased, rows_written, written_on } = erasures;
  const today = utcDay(now);
  const entries = db.select({ count: sql`count(*)` }).from(waitlistEmails).where(chunk);
  return db
    .update(erasures)
    .set({
      position: rows.last ?? found.position,
      erased: sql`${erased} + (${entries})`,
      rows_written: sql`iif(${written_on} = ${today}, ${rows_written}, 0) + ${rowsToErase(rows)}`,
      written_on: today,
      ...(isLast ? { state: "done" as const, finished_at: now, search: withoutSearch } : {}),
    })
    .where(and(eq(id, found.id), eq(state, "running"), eq(position, found.position)))
    .returning({ state, erased });
}
