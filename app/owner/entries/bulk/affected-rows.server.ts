import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import type { BulkKind } from "#app/server/db/schema/bulk.server.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { letterRecipients } from "#app/server/db/schema/letters.server.ts";
import { reachedMilestones, referrals, referrers } from "#app/server/db/schema/referrals.server.ts";
import { ROWS_PER_EVENT, webhooksFor } from "#app/server/db/webhooks-for.server.ts";

/** Entries to change, and what is linked to them. */
export interface AffectedRows {
  entries: number;
  /** The last of the entries, in order of id; null if there is none. */
  last: number | null;
  /** Those whose person had left by themselves, which is remembered. */
  left: number;
  /** Emails to them in the outbox: all, those that were not sent, and of these those that wait to be sent. */
  emails: number;
  unsent: number;
  waiting: number;
  /** Their copies of letters. */
  recipients: number;
  /** Rows of their referrals to delete or change, with those of indexes. */
  referralRows: number;
  /** Webhooks that are told of each. */
  webhooks: number;
}

/** Counts the first entries that a condition selects, in order of id, with what is linked to them. */
export async function countAffectedRows(
  db: Db,
  kind: BulkKind,
  condition: SQL | undefined,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<AffectedRows> {
  const { id, status, unsubscribe_reason } = waitlistEmails;
  const hasLeft = sql`${status} = 'unsubscribed' AND coalesce(${unsubscribe_reason}, 'own-choice') IN ('own-choice', 'complaint')`;
  const chosen = db
    .select({ id, has_left: sql`(${hasLeft})`.as("has_left") })
    .from(waitlistEmails)
    .where(condition)
    .orderBy(id)
    .limit(limit)
    .as("chosen");
  const emails = sql`SELECT count(*) FROM ${emailOutbox} WHERE ${emailOutbox.entry_id} = ${chosen.id}`;
  const unsent = sql`${emails} AND ${emailOutbox.sent_at} IS NULL`;
  const recipients = sql`SELECT count(*) FROM ${letterRecipients} WHERE ${letterRecipients.entry_id} = ${chosen.id}`;
  // Friends who stay lose the tie, which is in an index; a milestone has its key in one.
  const referralRows = sql`
    2 * (SELECT count(*) FROM ${referrals} WHERE ${referrals.entry_id} = ${chosen.id})
    + 2 * (SELECT count(*) FROM ${referrals} WHERE ${referrals.referrer_id} = ${chosen.id})
    + (SELECT count(*) FROM ${referrers} WHERE ${referrers.entry_id} = ${chosen.id})
    + 2 * (SELECT count(*) FROM ${reachedMilestones} WHERE ${reachedMilestones.entry_id} = ${chosen.id})`;
  const total = (count: SQL) => sql<number>`coalesce(sum((${count})), 0)`;
  const [counted] = await db
    .select({
      entries: sql<number>`count(*)`,
      last: sql<number | null>`max(${chosen.id})`,
      left: total(sql`${chosen.has_left}`),
      emails: total(emails),
      unsent: total(unsent),
      waiting: total(sql`${unsent} AND ${emailOutbox.dead_at} IS NULL`),
      recipients: total(recipients),
      referralRows: total(referralRows),
      webhooks: webhooksFor(events[kind]),
    })
    .from(chosen);
  return counted ?? noRows;
}

export const noRows: AffectedRows = {
  entries: 0,
  last: null,
  left: 0,
  emails: 0,
  unsent: 0,
  waiting: 0,
  recipients: 0,
  referralRows: 0,
  webhooks: 0,
};

/** What webhooks are told of an entry. */
const events: Record<BulkKind, string> = {
  erase: "entry.erased",
  unsubscribe: "entry.unsubscribed",
  undo: "entry.joined",
};

/**
 * Rows written for each. Those of indexes are counted too, although local D1 counts none for a deleted row: the
 * documentation leaves it open, and once a day's rows are used up, no one can sign up. An entry that stays costs one row,
 * since no index has its status.
 * https://developers.cloudflare.com/d1/platform/pricing/#definitions
 */
const ROWS = { erasedEntry: 4, leftEntry: 2, changedEntry: 1, email: 5, recipient: 3, chunk: 3 };

/** At most how many rows it writes to change entries in one chunk. */
export function rowsToWrite(
  kind: BulkKind,
  { entries, left, emails, unsent, recipients, referralRows, webhooks }: AffectedRows,
): number {
  const others = entries * webhooks * ROWS_PER_EVENT + ROWS.chunk;
  switch (kind) {
    case "erase":
      return (
        entries * ROWS.erasedEntry +
        left * ROWS.leftEntry +
        emails * ROWS.email +
        recipients * ROWS.recipient +
        referralRows +
        others
      );
    case "unsubscribe":
      return entries * ROWS.changedEntry + unsent * ROWS.email + others;
    case "undo":
      return entries * ROWS.changedEntry + others;
  }
}
