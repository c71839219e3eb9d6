import { and, eq, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { entryEmailRow, queuedAgain, randomUuid } from "#app/server/db/enqueue-email.server.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import {
  reachedMilestones,
  referrals,
  referredDomains,
  referredMailboxes,
  referrers,
} from "#app/server/db/schema/referrals.server.ts";
import { monthsBefore } from "#app/server/time/calendar.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";
import type { Milestone } from "#app/site.ts";
import { WAITLIST_RETENTION_MONTHS } from "#app/waitlist/entries/retention.ts";
import { countedDecisions } from "#app/waitlist/my-data/friends.server.ts";

/** Where addresses are not confirmed, a friend counts after this time, unless they have left. */
const SETTLED_AFTER: Millis = 24 * 3_600_000;

/**
 * How many friends at one private domain count before further ones wait for an owner: through anyone's link, or where
 * addresses are not confirmed, through the same one.
 */
export const MAX_OF_ONE_DOMAIN = 3;

/** The age of an entry from which {@link decideReferrals} ignores its referral, so that it reads few rows. */
const DECIDED_UNTIL: Millis = 10 * 24 * 3_600_000;

/** Statements of one decision. */
const STATEMENTS = 6;

/** Statements that a run leaves to the steps after it. */
const RESERVE = 10;

const MAX_DECISIONS = 20;

interface Undecided {
  /** The friend's entry. */
  entryId: number;
  now: EpochMillis;
  /** None where addresses are not confirmed. */
  milestones: readonly Milestone[];
  /** Whether the friend's address is confirmed. If not, they must be on the list still. */
  isConfirmed: boolean;
}

/**
 * The statements that decide whether a referral counts, for a batch. They change nothing if it is decided, or if the entry has
 * no referral. A milestone that the referral's person has reached is recorded and its email queued, once. One that came with
 * the code of no one is decided too: its person, who can read that, must not learn whose code was real.
 */
export function decisionStatements(db: Db, { entryId, now, milestones, isConfirmed }: Undecided) {
  const mayCount = isConfirmed
    ? sql`EXISTS (SELECT 1 FROM ${waitlistEmails} WHERE id = ${entryId} AND confirmed_at IS NOT NULL)`
    : undefined;
  const decide = db
    .update(referrals)
    .set({ ruling: decisionOf(isConfirmed), decided_at: now })
    .where(and(eq(referrals.entry_id, entryId), isNull(referrals.ruling), mayCount));
  return [decide, ...countStatements(db, entryId, now, milestones)] as const;
}

/** The statements that count a referral if the statement before them has changed its decision to one that counts, for a batch. */
function countStatements(db: Db, entryId: number, now: EpochMillis, milestones: readonly Milestone[]) {
  // changes() counts the previous statement's rows.
  const add = db
    .insert(referrers)
    .select(
      sql`SELECT referrer_id, 1, ruling <> 'settled' FROM referrals
        WHERE entry_id = ${entryId} AND ruling IN ${countedDecisions} AND referrer_id IS NOT NULL AND changes() > 0`,
    )
    .onConflictDoUpdate({
      target: referrers.entry_id,
      set: { counted: sql`${referrers.counted} + 1`, confirmed: sql`${referrers.confirmed} + excluded.confirmed` },
    });
  const remember = db
    .insert(referredMailboxes)
    .select(
      sql`SELECT mailbox_hash, ${now} FROM waitlist_emails
        WHERE id = ${entryId} AND mailbox_hash IS NOT NULL AND changes() > 0`,
    )
    .onConflictDoNothing();
  const ofDomain = db
    .insert(referredDomains)
    .select(
      sql`SELECT domain_hash, 1, ${now} FROM referrals
        WHERE entry_id = ${entryId} AND domain_hash IS NOT NULL AND changes() > 0`,
    )
    .onConflictDoUpdate({
      target: referredDomains.domain_hash,
      set: { counted: sql`${referredDomains.counted} + 1`, counted_at: now },
    });
  const referrer = sql`SELECT referrer_id FROM referrals WHERE entry_id = ${entryId}`;
  // The friend too, who may have brought others before confirming.
  return [
    add,
    remember,
    ofDomain,
    ...milestoneStatements(db, sql`${entryId}, (${referrer})`, now, milestones),
  ] as const;
}

/**
 * The statements that count referrals which do not count yet, for a batch whose last statement accepts them. All of them find
 * the same friends, since a batch is one transaction.
 *
 * @param friends a query of their entries' ids, of any number of people
 */
export function acceptStatements(db: Db, friends: SQL, now: EpochMillis, milestones: readonly Milestone[]) {
  const add = db
    .insert(referrers)
    .select(
      sql`SELECT referrer_id, count(*), count(*) FROM referrals WHERE entry_id IN (${friends}) GROUP BY referrer_id`,
    )
    .onConflictDoUpdate({
      target: referrers.entry_id,
      set: {
        counted: sql`${referrers.counted} + excluded.counted`,
        confirmed: sql`${referrers.confirmed} + excluded.confirmed`,
      },
    });
  // Before the mailboxes are remembered: those that have counted once are in the number of their domain.
  const ofDomains = db
    .insert(referredDomains)
    .select(
      sql`SELECT domain_hash, count(DISTINCT mailbox_hash), ${now}
        FROM referrals JOIN waitlist_emails ON waitlist_emails.id = entry_id
        WHERE entry_id IN (${friends}) AND domain_hash IS NOT NULL AND mailbox_hash IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM referred_mailboxes
            WHERE referred_mailboxes.mailbox_hash = waitlist_emails.mailbox_hash)
        GROUP BY domain_hash`,
    )
    .onConflictDoUpdate({
      target: referredDomains.domain_hash,
      set: { counted: sql`${referredDomains.counted} + excluded.counted`, counted_at: now },
    });
  const remember = db
    .insert(referredMailboxes)
    .select(
      sql`SELECT DISTINCT mailbox_hash, ${now} FROM waitlist_emails
        WHERE id IN (${friends}) AND mailbox_hash IS NOT NULL`,
    )
    .onConflictDoNothing();
  const ids = (column: "entry_id" | "referrer_id") =>
    sql`SELECT ${referrals[column]} FROM referrals WHERE ${referrals.entry_id} IN (${friends})`;
  // The friends too, who may have brought others before confirming.
  const concerned = sql`${ids("entry_id")} UNION ${ids("referrer_id")}`;
  return [add, ofDomains, remember, ...milestoneStatements(db, concerned, now, milestones)] as const;
}

/** The statements that record which milestones entries have reached, and queue an email to each about the highest new one. */
function milestoneStatements(db: Db, entries: SQL, now: EpochMillis, milestones: readonly Milestone[]) {
  const numbers = JSON.stringify(milestones.map(({ friends }) => friends));
  // Someone who has left, or has never confirmed their address, is sent nothing.
  const reach = db
    .insert(reachedMilestones)
    .select(
      sql`SELECT entry_id, value, ${now}, NULL FROM referrers
        JOIN waitlist_emails ON waitlist_emails.id = entry_id
        JOIN json_each(${numbers}) ON value <= confirmed
        WHERE entry_id IN (${entries}) AND status = 'active' AND (confirm_by IS NULL OR confirmed_at IS NOT NULL)`,
    )
    .onConflictDoNothing();
  const highest = sql`(SELECT json_object('friends', max(friends)) FROM ${reachedMilestones}
    WHERE entry_id = ${waitlistEmails.id} AND reached_at = ${now})`;
  const hasJustReached = sql`changes() > 0 AND EXISTS (SELECT 1 FROM ${reachedMilestones}
    WHERE entry_id = ${waitlistEmails.id} AND reached_at = ${now})`;
  const email = { id: randomUuid, now, data: highest };
  const tell = db
    .insert(emailOutbox)
    .select(entryEmailRow(db, "milestone", email, sql`${waitlistEmails.id} IN (${entries}) AND ${hasJustReached}`))
    .onConflictDoUpdate({ target: emailOutbox.dedupe_key, set: { ...queuedAgain(now), data: sql`excluded.data` } });
  return [reach, tell] as const;
}

/**
 * Why a referral does not count, or that it does. The first rule that applies.
 *
 * Without confirmation, anyone can enter anyone's address and see from their number whether it counts. So what decides
 * then is known to the person whose link it is: their own friends, and who is on the list, as the form says of an address.
 * Nothing that is stored of people who have left, were erased, counted before or get no email does.
 */
function decisionOf(isConfirmed: boolean): SQL {
  const isKnown = sql`EXISTS (SELECT 1 FROM waitlist_emails AS known WHERE known.mailbox_hash = friend.mailbox_hash
    AND known.id < friend.id ${isConfirmed ? sql`` : sql`AND known.status = 'active'`})`;
  const isRemembered = sql`EXISTS (SELECT 1 FROM referred_mailboxes WHERE referred_mailboxes.mailbox_hash = friend.mailbox_hash)
    OR EXISTS (SELECT 1 FROM erased_addresses WHERE erased_addresses.address_hash = friend.address_hash)`;
  const ofDomain = isConfirmed
    ? sql`SELECT counted FROM referred_domains WHERE referred_domains.domain_hash = referrals.domain_hash`
    : sql`SELECT count(*) FROM referrals AS other WHERE other.referrer_id = referrals.referrer_id
        AND other.domain_hash = referrals.domain_hash AND other.ruling IN ${countedDecisions}`;
  return sql`(SELECT CASE
    WHEN friend.disposable THEN 'throwaway'
    WHEN friend.mailbox_hash = referrer.mailbox_hash THEN 'own-mailbox'
    WHEN friend.mailbox_hash IS NULL OR ${isKnown} ${isConfirmed ? sql`OR ${isRemembered}` : sql``} THEN 'known-mailbox'
    ${isConfirmed ? sql`` : sql`WHEN friend.status <> 'active' THEN 'left'`}
    WHEN (${ofDomain}) >= ${MAX_OF_ONE_DOMAIN} THEN 'one-domain'
    ELSE ${isConfirmed ? "counted" : "settled"} END
    FROM waitlist_emails AS friend LEFT JOIN waitlist_emails AS referrer ON referrer.id = referrals.referrer_id
    WHERE friend.id = referrals.entry_id)`;
}

/** Of the entries that may be decided, those that are compared to find the first id. Later runs see the next ones. */
const EARLIEST = 50;

/**
 * Decides the referrals that are due and no confirmation has decided: of people who were not asked to confirm, and where
 * no one has to, of everyone alike, after {@link SETTLED_AFTER}. At most {@link MAX_DECISIONS}; later calls do the others.
 *
 * @param mayWrite statements that this run may still make
 */
export async function decideReferrals(
  db: Db,
  now: EpochMillis,
  { mustConfirm, milestones, mayWrite }: { mustConfirm: boolean; milestones: readonly Milestone[]; mayWrite: number },
): Promise<number> {
  const limit = Math.min(MAX_DECISIONS, Math.floor((mayWrite - RESERVE) / STATEMENTS));
  if (limit < 1) return 0;
  const isOld = sql`created_at <= ${now - SETTLED_AFTER}`;
  const isDue = mustConfirm ? sql`(confirmed_at IS NOT NULL OR (confirm_by IS NULL AND ${isOld}))` : isOld;
  // Ids grow with time, but for people of files and fairs: hence some of the first ones. By the index, or `min` would read the
  // whole list before them.
  const due = await db.all<{ entryId: number; confirmedAt: EpochMillis | null }>(sql`
    SELECT entry_id AS entryId, confirmed_at AS confirmedAt
    FROM referrals JOIN waitlist_emails ON waitlist_emails.id = entry_id
    WHERE entry_id >= (SELECT min(id) FROM
        (SELECT id FROM waitlist_emails WHERE created_at > ${now - DECIDED_UNTIL} ORDER BY created_at LIMIT ${EARLIEST}))
      AND ruling IS NULL AND ${isDue}
    ORDER BY entry_id LIMIT ${limit}`);
  for (const { entryId, confirmedAt } of due) {
    const isConfirmed = mustConfirm && confirmedAt !== null;
    await db.batch(decisionStatements(db, { entryId, now, milestones: mustConfirm ? milestones : [], isConfirmed }));
  }
  return due.length;
}

/**
 * Records the milestones that people have reached without a new friend: because one was added to the site, or because they
 * had left and are back. Reads the people who have brought a friend.
 */
export async function reachMilestones(db: Db, now: EpochMillis, milestones: readonly Milestone[]): Promise<void> {
  if (milestones.length === 0) return;
  await db.batch(milestoneStatements(db, sql`SELECT entry_id FROM ${referrers}`, now, milestones));
}

/**
 * Deletes the hashes of mailboxes, or in every other hour those of domains, that counted longer ago than entries are kept. One
 * statement, since a run may make few.
 */
export async function forgetReferred(db: Db, now: EpochMillis): Promise<void> {
  const table = new Date(now).getUTCHours() % 2 === 0 ? referredMailboxes : referredDomains;
  await db.delete(table).where(lt(table.counted_at, monthsBefore(now, WAITLIST_RETENTION_MONTHS)));
}
