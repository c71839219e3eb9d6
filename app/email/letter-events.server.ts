import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { eventLimits, exceeds } from "#app/email/event-limits.ts";
import type { LetterEmail, ProviderEvent } from "#app/email/provider-event.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { letterRecipients, letters } from "#app/server/db/schema/letters.server.ts";

/** Excludes the letters of steps that were switched off or changed: their open batches are still confirmed, so they must not pause. */
export const isNotWithdrawn = sql`(${letters.step_id} IS NULL OR ${letters.queued_at} IS NULL)`;

const columns = { complaints: "complained_at", bounces: "bounced_at" } as const;

/** Named, because SQLite would rather read every recipient of the letter. */
const indexes = { complaints: "letter_recipients_complained", bounces: "letter_recipients_bounced" } as const;

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
    case "hard-bounce": {
      const isNews = or(isNull(letterRecipients.bounced_at), eq(letterRecipients.bounced_softly, true));
      return [
        update.set({ bounced_at: now, bounced_softly: false }).where(and(isThis, isNews)),
        pauseIfTooMany(db, key, "bounces", now),
      ];
    }
    case "soft-bounce":
      return [
        update.set({ bounced_at: now, bounced_softly: true }).where(and(isThis, isNull(letterRecipients.bounced_at))),
        pauseIfTooMany(db, key, "bounces", now),
      ];
  }
}

function pauseIfTooMany(db: Db, key: string, reason: keyof typeof columns, now: number) {
  // A changed step of the series has a new letter: all its letters count together.
  const counted = sql`(SELECT other.id FROM letters AS other WHERE other.id = letters.id OR other.step_id = letters.step_id)`;
  const found = sql`(SELECT count(*) FROM letter_recipients INDEXED BY ${sql.raw(indexes[reason])}
    WHERE letter_recipients.letter_id IN ${counted} AND ${sql.raw(columns[reason])} IS NOT NULL)`;
  const sent = sql`(SELECT coalesce(sum(letter_batches.sent), 0) FROM letter_batches
    WHERE letter_batches.letter_id IN ${counted})`;
  const isThis = sql`${letters.id} = (SELECT coalesce((SELECT max(last.id) FROM letters AS last
    WHERE last.step_id = about.step_id), about.id) FROM letters AS about WHERE about.key = ${key})`;
  const isTooMany = exceeds(eventLimits[reason], found, sent);
  // A pause after the first recipients, or for the quota, would end by itself.
  const goesOn = sql`(${letters.state} = 'sending' OR ${letters.state} = 'paused' AND ${letters.resumes_at} IS NOT NULL)`;
  return db
    .update(letters)
    .set({ state: "paused", pause_reason: reason, paused_at: now, resumes_at: null, fault: null })
    .where(and(isThis, goesOn, isNotWithdrawn, isTooMany));
}
