import { and, type SQL, sql } from "drizzle-orm";
import { readSubjects } from "#app/features/letters/send/subjects.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { type LetterAudience, letters } from "#app/server/db/schema/letters.server.ts";
import { isSuppressed } from "#app/server/db/suppressions.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { isSelected } from "#app/waitlist/filter/entry-filter.server.ts";

export interface AudienceDeps {
  db: Db;
  /** Of the owner, for the days of the filter. */
  timeZone: string;
  now: () => EpochMillis;
}

export async function countAudience(deps: AudienceDeps, audience: LetterAudience): Promise<number> {
  return (await readAudienceNow(deps, audience)).people;
}

/** How many match now, and the entry that was added last: one statement, so that no one joins between the two. */
export async function readAudienceNow(
  deps: AudienceDeps,
  audience: LetterAudience,
): Promise<{ people: number; newest: number | null }> {
  const [row] = await deps.db.all<{ people: number; newest: number | null }>(sql`
    SELECT count(*) AS people, (SELECT max(id) FROM waitlist_emails) AS newest
    FROM (SELECT 1 FROM waitlist_emails WHERE ${isInAudience(deps, audience)}
    LIMIT ${audience.first ?? Number.MAX_SAFE_INTEGER})`);
  return row ?? { people: 0, newest: null };
}

/** The subjects of the letters that an audience names, by id. */
export function readSubjectsIn(db: Db, { sentLetter, notSentLetter }: LetterAudience): Promise<Map<number, string>> {
  const ids = [sentLetter, notSentLetter].filter((id) => id !== undefined);
  return readSubjects(db, letters, ids);
}

/** The condition on `waitlist_emails`, without the limit to the first so many. */
export function isInAudience({ db, timeZone, now }: AudienceDeps, audience: LetterAudience): SQL | undefined {
  const { filter, sentLetter, notSentLetter, newestEntry } = audience;
  return and(
    isSelected(db, { ...filter, timeZone, mayGetEmail: true }),
    sql`NOT ${isSuppressed(now())}`,
    sentLetter === undefined ? undefined : isRecipientOf(sentLetter, sql`= 'sent'`),
    notSentLetter === undefined
      ? undefined
      : sql`NOT ${isRecipientOf(notSentLetter, sql`IN ('pending', 'sent', 'unknown')`)}`,
    // The unary plus keeps SQLite in the order of joining.
    newestEntry === undefined ? undefined : sql`+${waitlistEmails.id} <= ${newestEntry}`,
  );
}

/**
 * Those who were skipped, or whose email failed, were not sent it. Someone whose copy waits, or may have arrived, counts
 * neither as sent nor as not sent.
 */
function isRecipientOf(letterId: number, states: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM letter_recipients WHERE letter_recipients.entry_id = waitlist_emails.id
    AND letter_recipients.letter_id = ${letterId} AND letter_recipients.state ${states})`;
}
