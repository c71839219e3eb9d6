import { and, eq, gt, isNotNull, isNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import { monthsBefore } from "#app/server/calendar.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { entryEmailRow, queuedAgain, randomUuid } from "#app/server/db/enqueue-email.server.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import type { Milestone } from "#app/site.ts";
import { reachedMilestones, referrals, referredMailboxes, referrers } from "#app/waitlist/referrals/schema.server.ts";
import { sharedDomains } from "#app/waitlist/referrals/shared-domains.ts";
import { WAITLIST_RETENTION_MONTHS } from "#app/waitlist/retention.ts";

/** Where addresses are not confirmed, a friend counts after this time, unless they leave or an email to them bounces (milliseconds). */
export const SETTLED_AFTER = 24 * 3_600_000;

/** So many friends of one person with addresses at one private domain count; further ones wait for an owner. */
export const MAX_OF_ONE_DOMAIN = 3;

/** Referrals that {@link decideReferrals} leaves alone from then on, so that it reads few rows (milliseconds). */
const DECIDED_UNTIL = 10 * 24 * 3_600_000;

/** Statements of one decision. */
const STATEMENTS = 5;

/** Decisions that one call makes. */
const MAX_DECISIONS = 20;

interface Decision {
  /** The friend's entry. */
  entryId: number;
  /** Milliseconds since 1970. */
  now: number;
  /** None where addresses are not confirmed. */
  milestones: readonly Milestone[];
  /** Whether the friend's address is confirmed. If not, they must be on the list still, and have had no bounce. */
  isConfirmed: boolean;
}

/**
 * The statements that decide whether a referral counts, for a batch. They change nothing if it is decided, or if the entry has
 * no referral. A milestone that the referral's person has reached is recorded and its email queued, once.
 */
export function decisionStatements(db: Db, { entryId, now, milestones, isConfirmed }: Decision) {
  const isMayCount = isConfirmed
    ? sql`EXISTS (SELECT 1 FROM ${waitlistEmails} WHERE id = ${entryId} AND confirmed_at IS NOT NULL)`
    : undefined;
  const decide = db
    .update(referrals)
    .set({ ruling: ruling(now, isConfirmed), decided_at: now })
    .where(
      and(eq(referrals.entry_id, entryId), isNull(referrals.ruling), isNotNull(referrals.referrer_id), isMayCount),
    );
  const isCounted = and(eq(referrals.entry_id, entryId), eq(referrals.ruling, "counted"));
  return [decide, ...countStatements(db, entryId, now, isCounted, milestones)] as const;
}

/** The statements that count a referral whose ruling the statement before them has changed, for a batch. */
export function countStatements(
  db: Db,
  entryId: number,
  now: number,
  isCounted: SQL | undefined,
  milestones: readonly Milestone[],
) {
  const referrer = db.select({ id: referrals.referrer_id }).from(referrals).where(eq(referrals.entry_id, entryId));
  // changes() counts the previous statement's rows.
  const add = db
    .insert(referrers)
    .select(
      db
        .select({ entry_id: sql`${referrals.referrer_id}`.as("entry_id"), counted: sql`1`.as("counted") })
        .from(referrals)
        .where(and(isCounted, sql`changes() > 0`)),
    )
    .onConflictDoUpdate({ target: referrers.entry_id, set: { counted: sql`${referrers.counted} + 1` } });
  const remember = db
    .insert(referredMailboxes)
    .select(
      db
        .select({
          mailbox_hash: sql`${waitlistEmails.mailbox_hash}`.as("mailbox_hash"),
          counted_at: sql`${now}`.as("counted_at"),
        })
        .from(waitlistEmails)
        .where(and(eq(waitlistEmails.id, entryId), isNotNull(waitlistEmails.mailbox_hash), sql`changes() > 0`)),
    )
    .onConflictDoNothing();
  // The friend too, who may have brought others before confirming.
  return [add, remember, ...milestoneStatements(db, sql`${entryId}, ${referrer}`, now, milestones)] as const;
}

/** The statements that record which milestones entries have reached, and queue an email to each about the highest new one. */
function milestoneStatements(db: Db, entries: SQL, now: number, milestones: readonly Milestone[]) {
  const { status, confirm_by, confirmed_at } = waitlistEmails;
  // Someone who has left, or has never confirmed their address, is sent nothing.
  const mayGetEmail = and(eq(status, "active"), or(isNull(confirm_by), isNotNull(confirmed_at)));
  const numbers = JSON.stringify(milestones.map(({ friends }) => friends));
  const reach = db
    .insert(reachedMilestones)
    .select(
      sql`SELECT ${referrers.entry_id}, value, ${now}, NULL FROM ${referrers}
        JOIN ${waitlistEmails} ON ${waitlistEmails.id} = ${referrers.entry_id}
        JOIN json_each(${numbers}) ON value <= ${referrers.counted}
        WHERE ${referrers.entry_id} IN (${entries}) AND ${mayGetEmail}`,
    )
    .onConflictDoNothing();
  const highest = sql`(SELECT json_object('friends', max(friends)) FROM ${reachedMilestones}
    WHERE entry_id = ${waitlistEmails.id})`;
  const hasJustReached = sql`changes() > 0 AND EXISTS (SELECT 1 FROM ${reachedMilestones}
    WHERE entry_id = ${waitlistEmails.id} AND reached_at = ${now})`;
  const email = { id: randomUuid, now, data: highest };
  const tell = db
    .insert(emailOutbox)
    .select(entryEmailRow(db, "milestone", email, sql`${waitlistEmails.id} IN (${entries}) AND ${hasJustReached}`))
    .onConflictDoUpdate({ target: emailOutbox.dedupe_key, set: { ...queuedAgain(now), data: sql`excluded.data` } });
  return [reach, tell] as const;
}

/** Why a referral does not count, or that it does. The first rule that applies. */
function ruling(now: number, isConfirmed: boolean): SQL {
  const domain = (email: string) => sql.raw(`substr(${email}, instr(${email}, '@') + 1)`);
  const isOnList = sql`friend.status = 'active'`;
  const isSuppressed = sql`EXISTS (SELECT 1 FROM suppressions WHERE suppressions.address_hash = friend.address_hash
    AND (suppressions.until IS NULL OR suppressions.until > ${now}))`;
  const hasEmailThatFailed = sql`EXISTS (SELECT 1 FROM email_outbox
    WHERE entry_id = friend.id AND (dead_at IS NOT NULL OR soft_bounced_at IS NOT NULL))`;
  const left = isConfirmed
    ? sql``
    : sql`WHEN NOT (${isOnList}) THEN 'left'
    WHEN ${isSuppressed} OR ${hasEmailThatFailed} THEN 'bounced'`;
  // Friends who have been erased since may have been at the same domain.
  const ofSameDomain = sql`(
    SELECT count(*) FILTER (WHERE ${domain("other.email")} = ${domain("friend.email")}) - count(*)
      + coalesce((SELECT counted FROM referrers WHERE referrers.entry_id = referrer.id), 0)
    FROM referrals AS of_same JOIN waitlist_emails AS other ON other.id = of_same.entry_id
    WHERE of_same.referrer_id = referrer.id AND of_same.ruling IN ('counted', 'accepted'))`;
  return sql`(SELECT CASE
    WHEN friend.disposable THEN 'throwaway'
    WHEN friend.mailbox_hash = referrer.mailbox_hash THEN 'own-mailbox'
    WHEN friend.mailbox_hash IS NULL
      OR EXISTS (SELECT 1 FROM waitlist_emails AS known
        WHERE known.mailbox_hash = friend.mailbox_hash AND known.id < friend.id)
      OR EXISTS (SELECT 1 FROM referred_mailboxes WHERE referred_mailboxes.mailbox_hash = friend.mailbox_hash)
      OR EXISTS (SELECT 1 FROM erased_addresses WHERE erased_addresses.address_hash = friend.address_hash)
      THEN 'known-mailbox'
    ${left}
    WHEN instr(${sharedList}, ',' || ${domain("friend.email")} || ',') = 0 AND ${ofSameDomain} >= ${MAX_OF_ONE_DOMAIN}
      THEN 'one-domain'
    ELSE 'counted' END
    FROM waitlist_emails AS friend JOIN waitlist_emails AS referrer ON referrer.id = referrals.referrer_id
    WHERE friend.id = referrals.entry_id)`;
}

const sharedList = `,${sharedDomains.join(",")},`;

/**
 * Decides the referrals that are due and no confirmation has decided: where addresses are not confirmed, after
 * {@link SETTLED_AFTER}. At most {@link MAX_DECISIONS}; later calls do the others.
 *
 * @param options.mayWrite statements that are left to this run
 * @returns how many
 */
export async function decideReferrals(
  db: Db,
  now: number,
  milestones: readonly Milestone[],
  mayWrite: number,
): Promise<number> {
  const { id, created_at, confirmed_at, confirm_by } = waitlistEmails;
  // Ids grow with time.
  const first = db
    .select({ id: sql`min(${id})` })
    .from(waitlistEmails)
    .where(gt(created_at, now - DECIDED_UNTIL));
  const isSettled = and(isNull(confirm_by), lte(created_at, now - SETTLED_AFTER));
  const limit = Math.min(MAX_DECISIONS, Math.floor((mayWrite - 1) / STATEMENTS));
  if (limit < 1) return 0;
  const due = await db
    .select({ entryId: referrals.entry_id, confirmedAt: confirmed_at })
    .from(referrals)
    .innerJoin(waitlistEmails, eq(id, referrals.entry_id))
    .where(
      and(
        sql`${referrals.entry_id} >= (${first})`,
        isNull(referrals.ruling),
        isNotNull(referrals.referrer_id),
        or(isNotNull(confirmed_at), isSettled),
      ),
    )
    .orderBy(referrals.entry_id)
    .limit(limit);
  for (const { entryId, confirmedAt } of due) {
    await db.batch(decisionStatements(db, { entryId, now, milestones, isConfirmed: confirmedAt !== null }));
  }
  return due.length;
}

/**
 * Records the milestones that people have reached without a new friend: because one was added to the site, or because they
 * had left and are back. Reads the people who have brought a friend.
 */
export async function reachMilestones(db: Db, now: number, milestones: readonly Milestone[]): Promise<void> {
  if (milestones.length === 0) return;
  await db.batch(milestoneStatements(db, sql`SELECT entry_id FROM ${referrers}`, now, milestones));
}

/** Deletes the hashes of mailboxes that counted longer ago than entries are kept. */
export async function forgetReferredMailboxes(db: Db, now: number): Promise<void> {
  await db
    .delete(referredMailboxes)
    .where(lt(referredMailboxes.counted_at, monthsBefore(now, WAITLIST_RETENTION_MONTHS)));
}
