import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";

/**
 * Whether the cron job has a letter to start, resume or send. In a file of its own: every run asks, and few have one.
 *
 * @param steps what else to read in the same statement: the free plan has few
 */
export async function findDueLetters(
  db: Db,
  now: number,
  steps: SQL,
): Promise<{ isDue: boolean; steps: string | null }> {
  const [due] = await db.all<{ isDue: number; steps: string | null }>(sql`
    SELECT ${steps} AS steps, EXISTS (SELECT 1 FROM letters WHERE ${isSending}
      OR state = 'scheduled' AND scheduled_for <= ${now} OR state = 'paused' AND resumes_at <= ${now}) AS isDue`);
  return { isDue: due?.isDue === 1, steps: due?.steps ?? null };
}

/** Whether a letter has something to send. A step of the series is `sending` from day to day. */
export const isSending = sql`(letters.state = 'sending' AND (letters.step_id IS NULL OR EXISTS (
  SELECT 1 FROM letter_batches WHERE letter_id = letters.id AND outcome = 'open')))`;
