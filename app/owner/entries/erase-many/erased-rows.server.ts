import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { letterRecipients } from "#app/server/db/schema/letters.server.ts";

/** Entries to erase, and what is linked to them. */
export interface ErasedRows {
  entries: number;
  /** The last of the entries, in order of id; null if there is none. */
  last: number | null;
  /** Emails to them in the outbox: all, and those that wait to be sent. */
  emails: number;
  waiting: number;
  /** Their copies of letters. */
  recipients: number;
}

/** Counts the first entries that a condition selects, in order of id, with what is linked to them. */
export async function countErasedRows(
  db: Db,
  condition: SQL | undefined,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<ErasedRows> {
  const { id } = waitlistEmails;
  const chosen = db.select({ id }).from(waitlistEmails).where(condition).orderBy(id).limit(limit).as("chosen");
  const emails = sql`SELECT count(*) FROM ${emailOutbox} WHERE ${emailOutbox.entry_id} = ${chosen.id}`;
  const recipients = sql`SELECT count(*) FROM ${letterRecipients} WHERE ${letterRecipients.entry_id} = ${chosen.id}`;
  const total = (count: SQL) => sql<number>`coalesce(sum((${count})), 0)`;
  const [counted] = await db
    .select({
      entries: sql<number>`count(*)`,
      last: sql<number | null>`max(${chosen.id})`,
      emails: total(emails),
      waiting: total(sql`${emails} AND ${emailOutbox.sent_at} IS NULL AND ${emailOutbox.dead_at} IS NULL`),
      recipients: total(recipients),
    })
    .from(chosen);
  return counted ?? { entries: 0, last: null, emails: 0, waiting: 0, recipients: 0 };
}

/**
 * Rows written for each. Those of indexes are counted too, although local D1 counts none for a deleted row: the
 * documentation leaves it open, and once a day's rows are used up, no one can sign up.
 * https://developers.cloudflare.com/d1/platform/pricing/#definitions
 */
const ROWS = { entry: 4, email: 5, recipient: 3, chunk: 3 };

/** At most how many rows it writes to erase entries in one chunk. */
export function rowsToErase({ entries, emails, recipients }: ErasedRows): number {
  return entries * ROWS.entry + emails * ROWS.email + recipients * ROWS.recipient + ROWS.chunk;
}
