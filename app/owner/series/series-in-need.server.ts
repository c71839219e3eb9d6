import { and, asc, eq, ne, sql } from "drizzle-orm";
import { pauseText } from "#app/owner/letters/letters-in-need.server.ts";
import type { AttentionItem, OwnerContext } from "#app/owner/ui/owner-context.ts";
import { letters } from "#app/server/db/schema/letters.server.ts";
import { seriesSteps } from "#app/server/db/schema/series.server.ts";

/** Paused steps of the series, before the launch. Emails with an unknown outcome need no decision: other steps follow all the same. */
export async function seriesInNeed(c: OwnerContext): Promise<AttentionItem[]> {
  if (c.var.app.config.LAUNCH_URL !== undefined) return [];
  const { state, pause_reason, resumes_at, step_id } = letters;
  const paused = await c.var.app.db
    .select({ id: seriesSteps.id, subject: seriesSteps.subject, reason: pause_reason })
    .from(letters)
    .innerJoin(seriesSteps, eq(seriesSteps.id, step_id))
    .where(and(eq(state, "paused"), ne(pause_reason, "first-recipients")))
    // Of several letters of a step, the one that waits for the owner comes last, and counts.
    .orderBy(asc(seriesSteps.days), sql`${resumes_at} IS NULL`);
  const byStep = new Map(paused.map((step) => [step.id, step]));
  return Array.from(byStep.values(), ({ id, subject, reason }) => ({
    text: `“${subject}” ${pauseText(reason ?? "owner")}.`,
    action: { label: "Open the follow-up", about: subject, href: `/owner/series/${id}` },
  }));
}
