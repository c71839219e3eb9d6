import { sql } from "drizzle-orm";
import type { Pause } from "#app/email/pauses.server.ts";
import type { AudienceDeps } from "#app/features/letters/send/audience.server.ts";
import {
  addGroup,
  COUNT_EFFECTS,
  noRecipients,
  type RecipientStats,
  type StateGroup,
} from "#app/features/letters/send/letter-stats.server.ts";
import { mayGetStep, STEP_CANDIDATES } from "#app/features/letters/series/who-gets-step.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { Step } from "#app/server/db/schema/series.server.ts";
import { runNamed } from "#app/server/db/sql-batch.server.ts";
import { CONFIRM_PERIOD } from "#app/waitlist/confirmation/confirmation.ts";

export type StepStats = RecipientStats & { pause: Pause | null };

/** The stats of every step that has a letter, or of one, by the step's id. Reads all of their recipients. */
export async function readSeriesStats(db: Db, only?: number): Promise<Map<number, StepStats>> {
  const isMeant = only === undefined ? sql`step_id IS NOT NULL` : sql`step_id = ${only}`;
  const groups = await db.all<StateGroup & { step: number }>(sql`
    SELECT letters.step_id AS step, recipient.state AS state, recipient.reason AS reason, count(*) AS people,
      ${COUNT_EFFECTS}
    FROM letters JOIN letter_recipients AS recipient ON recipient.letter_id = letters.id
    WHERE ${isMeant} GROUP BY 1, 2, 3 ORDER BY people DESC`);
  const paused = await db.all<Pause & { step: number }>(sql`
    SELECT step_id AS step, reason, until FROM letters JOIN email_pauses ON email_pauses.letter_id = letters.id
    WHERE ${isMeant} AND queued_at IS NULL ORDER BY until IS NULL`);
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

/**
 * How many people are still to be sent a step, of those who joined within the last days before now (of 24 hours). Those who
 * joined more than three days earlier than it is due are too late for it.
 */
export async function countStepCandidates({ db, timeZone, now }: AudienceDeps, step: Step, days: number) {
  const at = now();
  const from = at - days * 24 * 3_600_000;
  const [row] = await runNamed<{ people: number }>(db, {
    text: `WITH ${STEP_CANDIDATES} SELECT count(*) AS people FROM candidate WHERE reason IS NULL`,
    values: { from, until: at, late_before: from, confirm_period: CONFIRM_PERIOD, step: step.id, days: step.days },
    parts: { audience: sql`(${mayGetStep({ db, timeZone, now: () => at }, step.audience)})` },
  });
  return row?.people ?? 0;
}

/** How many active people agreed to each wording, by its version; null for those with none on record. Reads the whole list. */
export async function countAgreed(db: Db): Promise<Map<string | null, number>> {
  const rows = await db.all<{ version: string | null; people: number }>(sql`
    SELECT consent_version AS version, count(*) AS people FROM waitlist_emails WHERE status = 'active' GROUP BY 1`);
  return new Map(rows.map(({ version, people }) => [version, people]));
}
