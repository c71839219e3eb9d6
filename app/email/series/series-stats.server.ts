import { sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import type { PauseReason, RecipientReason, RecipientState } from "#app/server/db/schema/letters.server.ts";

/** What became of a step so far, in people. */
export interface StepStats extends Record<RecipientState, number> {
  /** For good, and for now. */
  bounced: number;
  bouncedSoftly: number;
  complained: number;
  /** Who unsubscribed with the link in it. */
  unsubscribed: number;
  /** Why people were skipped or not sent it, the most frequent reason first. */
  reasons: { state: RecipientState; reason: RecipientReason; people: number }[];
  /** Why it is paused, and until when; null if it is not. */
  pause: { reason: PauseReason; resumesAt: number | null; fault: string | null } | null;
}

const NONE = {
  pending: 0,
  sent: 0,
  skipped: 0,
  failed: 0,
  unknown: 0,
  bounced: 0,
  bouncedSoftly: 0,
  complained: 0,
  unsubscribed: 0,
};

/** The stats of every step that has a letter, by the step's id. Reads every recipient of the series. */
export async function readSeriesStats(db: Db): Promise<Map<number, StepStats>> {
  const groups = await db.all<{
    step: number;
    state: RecipientState;
    reason: RecipientReason | null;
    people: number;
    bounced: number;
    bouncedSoftly: number;
    complained: number;
    unsubscribed: number;
  }>(sql`
    SELECT letters.step_id AS step, recipient.state AS state, recipient.reason AS reason, count(*) AS people,
      count(iif(bounced_softly, NULL, bounced_at)) AS bounced,
      count(iif(bounced_softly, bounced_at, NULL)) AS bouncedSoftly, count(complained_at) AS complained, count(unsubscribed_at) AS unsubscribed
    FROM letters JOIN letter_recipients AS recipient ON recipient.letter_id = letters.id
    WHERE letters.step_id IS NOT NULL GROUP BY 1, 2, 3 ORDER BY people DESC`);
  const paused = await db.all<{
    step: number;
    reason: PauseReason;
    resumesAt: number | null;
    fault: string | null;
  }>(sql`
    SELECT step_id AS step, pause_reason AS reason, resumes_at AS resumesAt, fault FROM letters
    WHERE step_id IS NOT NULL AND state = 'paused' ORDER BY resumes_at IS NULL`);
  const stats = new Map<number, StepStats>();
  const of = (step: number) => {
    const found = stats.get(step) ?? { ...NONE, reasons: [], pause: null };
    stats.set(step, found);
    return found;
  };
  for (const { step, state, reason, people, ...effects } of groups) {
    const found = of(step);
    found[state] += people;
    found.bounced += effects.bounced;
    found.bouncedSoftly += effects.bouncedSoftly;
    found.complained += effects.complained;
    found.unsubscribed += effects.unsubscribed;
    if (reason !== null && state !== "pending") found.reasons.push({ state, reason, people });
  }
  // One that waits for the owner comes last, and counts.
  for (const { step, ...pause } of paused) of(step).pause = pause;
  return stats;
}
