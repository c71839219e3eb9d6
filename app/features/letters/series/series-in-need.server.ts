import { sql } from "drizzle-orm";
import { isPaused } from "#app/features/letters/write/letters-in-need.server.ts";
import type { AttentionItem, OwnerContext } from "#app/owner/ui/owner-context.ts";
import type { PauseReason } from "#app/server/db/schema/email.server.ts";

/** Paused steps of the series, before the launch. Emails with an unknown outcome need no decision: other steps follow all the same. */
export async function seriesInNeed(c: OwnerContext): Promise<AttentionItem[]> {
  if (c.var.app.config.LAUNCH_URL !== undefined) return [];
  // Of several pauses of a step, the one that waits for the owner comes last, and counts.
  const paused = await c.var.app.db.all<{ id: number; subject: string; reason: PauseReason }>(sql`
    SELECT series_steps.id, series_steps.subject, email_pauses.reason FROM series_steps
    JOIN email_pauses ON email_pauses.letter_id = series_steps.letter_id
    WHERE email_pauses.reason <> 'first-recipients' ORDER BY series_steps.days, until IS NULL`);
  const byStep = new Map(paused.map((step) => [step.id, step]));
  return Array.from(byStep.values(), ({ id, subject, reason }) => ({
    text: `“${subject}” ${isPaused(reason)}.`,
    action: { label: "Open the follow-up", about: subject, href: `/owner/series/${id}` },
  }));
}
