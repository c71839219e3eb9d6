import { and, asc, eq, isNotNull, isNull, or, sql } from "drizzle-orm";
import { pauseText } from "#app/features/letters/send/letter-reasons.ts";
import { shown } from "#app/features/letters/send/letters.server.ts";
import type { AttentionItem, OwnerContext } from "#app/owner/ui/owner-context.ts";
import type { PauseReason } from "#app/server/db/schema/email.server.ts";
import { letters } from "#app/server/db/schema/letters.server.ts";

/**
 * Letters that wait for the owner: paused ones, those that missed their time, and those with unknown outcomes. The pause
 * after the first recipients was planned and ends by itself. `series-in-need.server.ts` has those of the series.
 */
export async function lettersInNeed(c: OwnerContext): Promise<AttentionItem[]> {
  const { id, subject, state, scheduled_for, step_id } = letters;
  const unknown = sql<number>`EXISTS (SELECT 1 FROM letter_batches INDEXED BY letter_batches_dead
    WHERE letter_id = letters.id AND dead_at IS NOT NULL)`;
  const isMissed = and(eq(state, "draft"), isNotNull(scheduled_for));
  const found = await c.var.app.db
    .select({ id, subject, state, pause: shown.pause, unknown })
    .from(letters)
    .where(and(isNull(step_id), or(eq(state, "sending"), isMissed, unknown)))
    .orderBy(asc(id));
  return found.flatMap((letter) => {
    const needs = [
      letter.unknown ? "has emails that the provider never confirmed, so you have to decide about them" : null,
      letter.state === "draft" ? "could not be sent at its time, and is a draft again" : null,
      letter.pause === null || letter.pause.reason === "first-recipients" ? null : isPaused(letter.pause.reason),
    ];
    const need = needs.find((text) => text !== null);
    if (need === undefined) return [];
    const action = { label: "Open the letter", about: letter.subject, href: `/owner/letters/${letter.id}` };
    return [{ text: `“${letter.subject}” ${need}.`, action }];
  });
}

/** `is paused: too many emails bounced` */
export function isPaused(reason: PauseReason): string {
  const text = pauseText(reason);
  return `is paused: ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
