import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { LetterEmail, ProviderEvent } from "#app/email/provider-event.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { letterRecipients, letters, type PauseReason } from "#app/server/db/schema/letters.server.ts";

/**
 * A letter pauses itself at this many complaints or bounces, if they are more than this share of what was sent. Resend
 * expects bounces under 4 % and complaints under 0.08 %. https://resend.com/legal/acceptable-use
 */
const limits = {
  complaints: { column: "complained_at", count: 3, share: 0.0008 },
  bounces: { column: "bounced_at", count: 15, share: 0.03 },
} as const satisfies Partial<Record<PauseReason, object>>;

/** The statements that record an event about a letter's recipient, and pause the letter when there are too many. */
export function updateLetterRecipient(
  db: Db,
  { letter: key, entryId }: LetterEmail,
  kind: ProviderEvent["kind"],
  isNew: SQL,
  now: number,
): BatchItem<"sqlite">[] {
  const isThis = and(
    sql`${letterRecipients.letter_id} = (SELECT letters.id FROM letters WHERE letters.key = ${key})`,
    eq(letterRecipients.entry_id, entryId),
    isNew,
  );
  const update = db.update(letterRecipients);
  switch (kind) {
    case "failed":
      return [
        update.set({ state: "failed", reason: "rejected" }).where(and(isThis, eq(letterRecipients.state, "sent"))),
      ];
    case "complaint":
      return [
        update.set({ complained_at: now }).where(and(isThis, isNull(letterRecipients.complained_at))),
        pauseIfTooMany(db, key, "complaints", now),
      ];
    case "hard-bounce":
    case "soft-bounce":
      return [
        update.set({ bounced_at: now }).where(and(isThis, isNull(letterRecipients.bounced_at))),
        pauseIfTooMany(db, key, "bounces", now),
      ];
  }
}

function pauseIfTooMany(db: Db, key: string, reason: keyof typeof limits, now: number) {
  const { column, count, share } = limits[reason];
  const found = sql`(SELECT count(*) FROM letter_recipients
    WHERE letter_recipients.letter_id = letters.id AND ${sql.raw(column)} IS NOT NULL)`;
  const sent = sql`(SELECT sum(letter_batches.sent) FROM letter_batches WHERE letter_batches.letter_id = letters.id)`;
  const isTooMany = sql`${found} >= ${count} AND ${found} > ${share} * coalesce(${sent}, 0)`;
  // A pause after the first recipients, or for the quota, would end by itself.
  const goesOn = sql`(${letters.state} = 'sending' OR ${letters.state} = 'paused' AND ${letters.resumes_at} IS NOT NULL)`;
  return db
    .update(letters)
    .set({ state: "paused", pause_reason: reason, paused_at: now, resumes_at: null, fault: null })
    .where(and(eq(letters.key, key), goesOn, isTooMany));
}
