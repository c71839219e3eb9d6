import { sql } from "drizzle-orm";
import {
  addGroup,
  noRecipients,
  type RecipientStats,
  type StateGroup,
} from "#app/email/letters/letter-stats.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { PauseReason } from "#app/server/db/schema/letters.server.ts";

/** What became of a step so far, in people. */
export interface StepStats extends RecipientStats {
  /** Why it is paused, and until when; null if it is not. */
  pause: Pause | null;
}

interface Pause {
  reason: PauseReason;
  /** Milliseconds since 1970; null if the owner has to resume it. */
  resumesAt: number | null;
  fault: string | null;
}

/** The stats of every step that has a letter, or of one, by the step's id. Reads all of their recipients. */
export async function readSeriesStats(db: Db, only?: number): Promise<Map<number, StepStats>> {
  const isMeant = only === undefined ? sql`step_id IS NOT NULL` : sql`step_id = ${only}`;
  const groups = await db.all<StateGroup & { step: number }>(sql`
    SELECT letters.step_id AS step, recipient.state AS state, recipient.reason AS reason, count(*) AS people,
      count(iif(bounced_softly, NULL, bounced_at)) AS bounced, count(iif(bounced_softly, bounced_at, NULL)) AS bouncedSoftly,
      count(complained_at) AS complained, count(unsubscribed_at) AS unsubscribed
    FROM letters JOIN letter_recipients AS recipient ON recipient.letter_id = letters.id
    WHERE ${isMeant} GROUP BY 1, 2, 3 ORDER BY people DESC`);
  const paused = await db.all<Pause & { step: number }>(sql`
    SELECT step_id AS step, pause_reason AS reason, resumes_at AS resumesAt, fault FROM letters
    WHERE ${isMeant} AND state = 'paused' ORDER BY resumes_at IS NULL`);
  const stats = new Map<number, StepStats>();
  const of = (step: number) => {
    const found = stats.get(step) ?? { ...noRecipients(), pause: null };
    stats.set(step, found);
    return found;
  };
  for (const { step, ...group } of groups) addGroup(of(step), group);
  // One that waits for the owner comes last, and counts.
  for (const { step, ...pause } of paused) of(step).pause = pause;
  return stats;
}
