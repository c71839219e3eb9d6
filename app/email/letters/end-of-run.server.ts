import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { isBeforeFirstPause, sentOf } from "#app/email/letters/claim-batches.server.ts";
import { changeLetter, type Letter } from "#app/email/letters/letters.server.ts";
import { FIRST_PAUSE_AFTER, FIRST_PAUSE_TIME } from "#app/email/letters/sending-limits.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { letters } from "#app/server/db/schema/letters.server.ts";
import { logInfo } from "#app/server/log.ts";

/** Pauses a letter once all of its first recipients are done, so that their bounces can arrive. */
export async function pauseAfterFirst(db: Db, letter: Letter, now: number): Promise<void> {
  const isDue = and(
    eq(letters.state, "sending"),
    eq(letters.had_first_pause, false),
    ...(letter.step_id === null
      ? [
          sql`${letters.queued} >= ${FIRST_PAUSE_AFTER}`,
          sql`NOT ${hasBatches(letter, sql`outcome = 'open' AND ${isBeforeFirstPause(letter)}`)}`,
        ]
      : [sql`${sentOf(letter)} >= ${FIRST_PAUSE_AFTER}`, hasBatches(letter, sql`outcome = 'open'`)]),
  );
  const resumesAt = now + FIRST_PAUSE_TIME;
  const reason = "first-recipients";
  const paused = { state: "paused", pause_reason: reason, paused_at: now, resumes_at: resumesAt } as const;
  if (await changeLetter(db, letter.id, isDue, { ...paused, had_first_pause: true })) {
    logInfo("letter-paused", { letterId: letter.id, reason, resumesAt });
  }
}

/** Finishes a letter once every recipient is sent it, skipped or failed; those with an unknown outcome wait for the owner. */
export async function finish(db: Db, letter: Letter, now: number): Promise<void> {
  const isDone = and(
    eq(letters.state, "sending"),
    isNotNull(letters.queued_at),
    sql`NOT ${hasBatches(letter, sql`outcome = 'open'`)}`,
    letter.step_id === null ? sql`NOT ${hasBatches(letter, sql`outcome = 'unknown'`)}` : undefined,
  );
  const isFinished = await changeLetter(db, letter.id, isDone, { state: "finished", finished_at: now });
  if (isFinished) logInfo("letter-finished", { letterId: letter.id });
}

function hasBatches({ id }: Letter, condition: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM letter_batches WHERE letter_id = ${id} AND ${condition})`;
}
