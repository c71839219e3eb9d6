import { and, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { eventLimits } from "#app/email/limits.ts";
import { exceeds, pauseLetters } from "#app/email/pauses.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { letterRecipients, letters } from "#app/server/db/schema/letters.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

const effects = { complaints: "complained", bounces: "bounced" } as const;

export function updateLetterRecipient(
  db: Db,
  { letter: key, entryId }: { letter: string; entryId: number },
  kind: "hard-bounce" | "soft-bounce" | "complaint" | "failed",
  isNew: SQL,
  now: EpochMillis,
): BatchItem<"sqlite">[] {
  const isThis = sql`letter_id = (SELECT letters.id FROM letters WHERE letters.key = ${key}) AND entry_id = ${entryId}
    AND ${isNew}`;
  const update = db.update(letterRecipients);
  switch (kind) {
    case "failed":
      return [update.set({ state: "failed", reason: "rejected" }).where(and(isThis, sql`state = 'sent'`))];
    case "complaint":
      return [
        update.set({ complained_at: now }).where(and(isThis, sql`complained_at IS NULL`)),
        pauseIfTooMany(db, key, "complaints", now),
      ];
    case "hard-bounce":
    case "soft-bounce": {
      const isSoft = kind === "soft-bounce";
      const isNews = isSoft ? sql`bounced_at IS NULL` : sql`(bounced_at IS NULL OR bounced_softly)`;
      return [
        update.set({ bounced_at: now, bounced_softly: isSoft }).where(and(isThis, isNews)),
        pauseIfTooMany(db, key, "bounces", now),
      ];
    }
  }
}

function pauseIfTooMany(db: Db, key: string, reason: keyof typeof effects, now: EpochMillis) {
  // A changed step of the series has a new letter: all its letters count together.
  const counted = sql`(SELECT other.id FROM letters AS other WHERE other.id = letters.id OR other.step_id = letters.step_id)`;
  // The index is named, because SQLite would rather read every recipient of the letter.
  const found = sql`(SELECT count(*) FROM letter_recipients
    INDEXED BY ${sql.raw(`letter_recipients_${effects[reason]}`)}
    WHERE letter_recipients.letter_id IN ${counted} AND ${sql.raw(`${effects[reason]}_at`)} IS NOT NULL)`;
  const sent = sql`(SELECT coalesce(sum(letter_batches.sent), 0) FROM letter_batches
    WHERE letter_batches.letter_id IN ${counted})`;
  const isThis = sql`${letters.id} = (SELECT coalesce((SELECT max(last.id) FROM letters AS last
    WHERE last.step_id = about.step_id), about.id) FROM letters AS about WHERE about.key = ${key})`;
  const isTooMany = exceeds(eventLimits[reason], found, sent);
  return pauseLetters(db, sql`${isThis} AND ${isTooMany}`, { reason, until: null }, now);
}
