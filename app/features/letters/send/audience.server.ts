import { and, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import type { LetterAudience } from "#app/server/db/schema/letters.server.ts";
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
  const [row] = await deps.db.all<{ people: number }>(sql`
    SELECT count(*) AS people FROM (SELECT 1 FROM waitlist_emails WHERE ${isInAudience(deps, audience)}
    LIMIT ${audience.first ?? Number.MAX_SAFE_INTEGER})`);
  return row?.people ?? 0;
}

/** The condition on `waitlist_emails`, without the limit to the first so many. */
export function isInAudience({ db, timeZone, now }: AudienceDeps, audience: LetterAudience): SQL | undefined {
  const { filter, notSentLetter, newestEntry } = audience;
  return and(
    isSelected(db, { ...filter, timeZone, mayGetEmail: true }),
    sql`NOT ${isSuppressed(now())}`,
    notSentLetter === undefined ? undefined : sql`NOT ${isRecipientOf(notSentLetter)}`,
    // The unary plus keeps SQLite in the order of joining.
    newestEntry === undefined ? undefined : sql`+${waitlistEmails.id} <= ${newestEntry}`,
  );
}

/** Those who were skipped, or whose email failed, were not sent it. */
function isRecipientOf(letterId: number): SQL {
  return sql`EXISTS (SELECT 1 FROM letter_recipients WHERE letter_recipients.entry_id = waitlist_emails.id
    AND letter_recipients.letter_id = ${letterId} AND letter_recipients.state IN ('pending', 'sent', 'unknown'))`;
}
