import { and, asc, desc, eq, getTableColumns, gt, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { type EntryEmailKind, emailOutbox } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { type LetterState, letterRecipients, letters } from "#app/server/db/schema/letters.server.ts";
import { reachedMilestones, referrers } from "#app/server/db/schema/referrals.server.ts";
import { findSuppressed, type Suppression } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { referrals as hasReferrals } from "#app/switches.ts";
import { CONFIRM_PERIOD } from "#app/waitlist/confirmation/confirmation.ts";
import type { Entry } from "#app/waitlist/entries/entries.server.ts";
import { oneSpellingEach, type originColumns } from "#app/waitlist/entries/origin-columns.ts";
import { isSelected } from "#app/waitlist/filter/entry-filter.server.ts";
import type { EntrySelection } from "#app/waitlist/filter/filters.server.ts";

/*
 * Read-only queries behind the owner's lists and exports; pages of the list are in `entries-page.server.ts`. Statements that write live in
 * `waitlist/entries.server.ts`. Every query here must stay fast with a million entries.
 */

/**
 * How many entries a list or an export has, counted up to `limit`. A filter that most entries match is then counted
 * without a scan of the whole list.
 */
export async function countEntries(db: Db, selection: EntrySelection, limit?: number): Promise<number> {
  const [row] = await entriesCount(db, selection, limit);
  return row?.count ?? 0;
}

function entriesCount(db: Db, selection: EntrySelection, limit = Number.MAX_SAFE_INTEGER) {
  const one = sql`1`.as("one");
  const matching = db.select({ one }).from(waitlistEmails).where(isSelected(db, selection)).limit(limit).as("matching");
  return db.select({ count: sql<number>`count(*)` }).from(matching);
}

/** The id of the entry that was added last, which imported people need not have joined last; 0 without one. */
export async function newestEntry(db: Db): Promise<number> {
  const { id } = waitlistEmails;
  const [newest] = await db.select({ id }).from(waitlistEmails).orderBy(desc(id)).limit(1);
  return newest?.id ?? 0;
}

/** The newest entries whose campaigns and referring sites the list suggests, and how many of each. */
const RECENT_ENTRIES = 2_000;
const MAX_SUGGESTIONS = 50;

export async function recentOrigins(db: Db): Promise<Record<(typeof originColumns)[number], string[]>> {
  const { id, created_at, utm_source, utm_campaign, referrer_host } = waitlistEmails;
  const columns = { utm_source, utm_campaign, referrer_host };
  const recent = db
    .select(columns)
    .from(waitlistEmails)
    .orderBy(desc(created_at), desc(id))
    .limit(RECENT_ENTRIES)
    .as("recent");
  const rows = await db.selectDistinct().from(recent);
  const valuesOf = (name: (typeof originColumns)[number]) =>
    oneSpellingEach(rows.flatMap((row) => row[name] ?? []))
      .toSorted()
      .slice(0, MAX_SUGGESTIONS);
  return {
    utm_source: valuesOf("utm_source"),
    utm_campaign: valuesOf("utm_campaign"),
    referrer_host: valuesOf("referrer_host"),
  };
}

/** The oldest entries that can be unconfirmed of which {@link hasUnconfirmedEntries} looks at so many. */
const OLDEST_ENTRIES = 10_000;

/** Unconfirmed entries are erased after {@link CONFIRM_PERIOD}, within a day. */
const DAY = 24 * 3_600_000;

/**
 * Whether any entry is unconfirmed, although the site asks no one to confirm any more. Those who were asked joined before
 * it stopped, so they are among the oldest of the period.
 */
export async function hasUnconfirmedEntries(db: Db, now: EpochMillis): Promise<boolean> {
  return (await oldUnconfirmed(db, now)).length > 0;
}

/** The query of {@link hasUnconfirmedEntries}, exported so that a test can check its plan. */
export function oldUnconfirmed(db: Db, now: EpochMillis) {
  const { created_at, status, confirm_by, confirmed_at } = waitlistEmails;
  const oldest = db
    .select({ status, confirm_by, confirmed_at })
    .from(waitlistEmails)
    .where(gt(created_at, now - CONFIRM_PERIOD - DAY))
    .orderBy(asc(created_at))
    .limit(OLDEST_ENTRIES)
    .as("oldest");
  return db
    .select({ one: sql`1` })
    .from(oldest)
    .where(sql`status = 'active' AND confirm_by IS NOT NULL AND confirmed_at IS NULL`)
    .limit(1);
}

export type OutboxEmail = typeof emailOutbox.$inferSelect & { kind: EntryEmailKind | "letter" };

export type EntryLetter = Awaited<ReturnType<typeof lettersTo>>[number];

/** An entry with all its emails and the letters to it, oldest first, in one round trip. */
export async function entryWithEmails(
  db: Db,
  id: number,
): Promise<{ entry: Entry; emails: OutboxEmail[]; letters: EntryLetter[] } | null> {
  const entries = db.select().from(waitlistEmails).where(eq(waitlistEmails.id, id));
  const emails = db.select().from(emailOutbox).where(eq(emailOutbox.entry_id, id)).orderBy(asc(emailOutbox.created_at));
  const [[entry], found, sent] = await db.batch([entries, emails, lettersTo(db, id)]);
  return entry === undefined ? null : { entry, emails: found as OutboxEmail[], letters: sent };
}

function lettersTo(db: Db, entryId: number) {
  const { state, reason, done_at, bounced_at, bounced_softly, complained_at, unsubscribed_at } = letterRecipients;
  const recipient = { state, reason, done_at, bounced_at, bounced_softly, complained_at, unsubscribed_at };
  // In a D1 batch, a column needs a name of its own.
  const letterState = sql<LetterState>`${letters.state}`.as("letter_state");
  return db
    .select({ id: letters.id, subject: letters.subject, stepId: letters.step_id, letterState, ...recipient })
    .from(letterRecipients)
    .innerJoin(letters, eq(letters.id, letterRecipients.letter_id))
    .where(eq(letterRecipients.entry_id, entryId))
    .orderBy(asc(letters.id));
}

/** Why an address gets no email now; null if it does. */
export async function findSuppression(
  { db, hashKey, now }: { db: Db; hashKey: string; now: () => EpochMillis },
  email: string,
): Promise<Suppression | null> {
  const hash = await keyedHash("address:v1", email, hashKey);
  return (await findSuppressed(db, [hash], now())).get(hash) ?? null;
}

/** Rows per page of an export: a few hundred kilobytes. */
const EXPORT_PAGE = 2_000;

/** An entry with how many of its friends count, and the highest milestone that it has reached. */
export type SelectedEntry = Entry & { friends_counted?: number; milestone?: number | null };

/** Entries in the order of joining, in pages that are fetched lazily as the caller consumes them. */
export async function* selectedEntries(
  db: Db,
  selection: EntrySelection,
  pageSize = EXPORT_PAGE,
): AsyncGenerator<SelectedEntry[]> {
  for (let last: SelectedEntry | undefined; ; ) {
    const page = await exportPage(db, selection, last, pageSize);
    if (page.length > 0) yield page;
    if (page.length < pageSize) return;
    last = page.at(-1);
  }
}

function exportPage(
  db: Db,
  selection: EntrySelection,
  after: Pick<Entry, "id" | "created_at"> | undefined,
  limit: number,
) {
  const { id, created_at } = waitlistEmails;
  const isPast = after && sql`(${created_at}, ${id}) > (${after.created_at}, ${after.id})`;
  return db
    .select({ ...getTableColumns(waitlistEmails), ...(hasReferrals ? friendColumns : {}) })
    .from(waitlistEmails)
    .where(and(isSelected(db, selection), isPast))
    .orderBy(asc(created_at), asc(id))
    .limit(limit);
}

/** Two look-ups for each entry. */
const friendColumns = {
  friends_counted: sql<number>`coalesce(
    (SELECT counted FROM ${referrers} WHERE ${referrers.entry_id} = ${waitlistEmails.id}), 0)`.as("friends_counted"),
  milestone: sql<number | null>`(
    SELECT max(friends) FROM ${reachedMilestones} WHERE ${reachedMilestones.entry_id} = ${waitlistEmails.id})`.as(
    "milestone",
  ),
};
