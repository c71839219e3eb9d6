import { type SQL, sql } from "drizzle-orm";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { joinedAt } from "#app/email/series/who-gets-step.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { Step } from "#app/server/db/schema/series.server.ts";
import { runBatch } from "#app/server/db/sql-batch.server.ts";

/**
 * The statements that withdraw a step's letter. Recipients whose batch was never attempted are written again by the next
 * plan, unless they are too late by now.
 *
 * @param now milliseconds since 1970
 */
export function withdraw({ id, letter_id }: Step, now: number): SQL[] {
  if (letter_id === null) return [];
  const isLate = sql`entry_id IN (SELECT id FROM waitlist_emails
    WHERE ${joinedAt} < (SELECT decided_before FROM series_steps WHERE series_steps.id = ${id}))`;
  const hasOpen = sql`EXISTS (SELECT 1 FROM letter_batches WHERE letter_id = ${letter_id} AND outcome = 'open')`;
  // The batches of a letter that waits for the owner are not attempted again.
  const inDoubt = sql`letter_batches.letter_id = ${letter_id} AND outcome = 'open' AND first_attempt_at IS NOT NULL
    AND leased_until <= ${now} AND EXISTS (SELECT 1 FROM letters WHERE letters.id = ${letter_id} AND state = 'paused'
      AND resumes_at IS NULL)`;
  return [
    sql`UPDATE letter_recipients SET state = 'unknown', reason = 'never-confirmed', done_at = ${now}
      WHERE ${isPendingIn(letter_id, inDoubt)}`,
    sql`UPDATE letter_batches SET outcome = 'unknown', done_at = ${now} WHERE ${inDoubt}`,
    sql`UPDATE letter_recipients SET state = 'skipped', reason = 'late', done_at = ${now}
      WHERE ${isPendingIn(letter_id, untriedOf(letter_id))} AND ${isLate}`,
    ...deleteUntried(letter_id),
    sql`UPDATE letters SET queued_at = ${now}, finished_at = iif(${hasOpen}, NULL, ${now}),
      state = iif(${hasOpen}, 'sending', 'finished') WHERE letters.id = ${letter_id} AND queued_at IS NULL`,
    sql`UPDATE series_steps SET letter_id = NULL, planned_day = NULL WHERE id = ${id} AND letter_id = ${letter_id}`,
  ];
}

/** Deletes the recipients of a withdrawn letter whose batch was refused since. The next plan writes them again. */
export async function forgetUntried(db: Db, { id, queued_at }: Letter): Promise<void> {
  if (queued_at !== null) await runBatch(db, deleteUntried(id));
}

function deleteUntried(letterId: number): SQL[] {
  const untried = untriedOf(letterId);
  return [
    sql`DELETE FROM letter_recipients WHERE ${isPendingIn(letterId, untried)}`,
    sql`DELETE FROM letter_batches WHERE ${untried}`,
  ];
}

/** The condition for batches that the provider cannot have received. */
function untriedOf(letterId: number): SQL {
  return sql`letter_batches.letter_id = ${letterId} AND outcome = 'open' AND first_attempt_at IS NULL`;
}

/** The condition for recipients who wait in certain batches. */
function isPendingIn(letterId: number, batches: SQL): SQL {
  return sql`letter_id = ${letterId} AND state = 'pending'
    AND position / (SELECT batch_size FROM letters WHERE letters.id = ${letterId}) IN (SELECT number FROM letter_batches WHERE ${batches})`;
}
