import { sql } from "drizzle-orm";
import { pauseReasons } from "#app/email/letters/letter-reasons.ts";
import type { AttentionItem, OwnerContext } from "#app/owner/ui/owner-context.ts";
import { letters, type PauseReason } from "#app/server/db/schema/letters.server.ts";

/**
 * Letters that wait for the owner: paused ones, those that missed their time, and those with unknown outcomes. The pause
 * after the first recipients was planned and ends by itself. `series-in-need.server.ts` has those of the series.
 */
export async function lettersInNeed(c: OwnerContext): Promise<AttentionItem[]> {
  const { id, subject, state, pause_reason, scheduled_for, step_id } = letters;
  const hasUnknown = sql<number>`EXISTS (SELECT 1 FROM letter_batches WHERE letter_id = letters.id AND outcome = 'unknown')`;
  const found = await c.var.app.db
    .select({ id, subject, state, pause_reason, unknown: hasUnknown })
    .from(letters)
    .where(
      sql`${step_id} IS NULL AND ((${state} = 'paused' AND ${pause_reason} <> 'first-recipients') OR (${state} = 'draft' AND ${scheduled_for} IS NOT NULL) OR ${hasUnknown})`,
    )
    .orderBy(id);
  return found.map((letter) => ({
    text: `“${letter.subject}” ${needOf(letter)}.`,
    action: { label: "Open the letter", about: letter.subject, href: `/owner/letters/${letter.id}` },
  }));
}

function needOf(letter: Pick<typeof letters.$inferSelect, "state" | "pause_reason"> & { unknown: number }): string {
  if (letter.unknown) return "has emails that the provider never confirmed, so you have to decide about them";
  if (letter.state === "draft") return "could not be sent at its time, and is a draft again";
  return pauseText(letter.pause_reason ?? "owner");
}

/** `is paused: too many emails bounced` */
export function pauseText(reason: PauseReason): string {
  const text = pauseReasons[reason];
  return `is paused: ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
