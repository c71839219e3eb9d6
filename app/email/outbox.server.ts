import { and, eq, gte, inArray, isNull, lte, ne, notInArray, or, type SQL, sql } from "drizzle-orm";
import { acceptsEmail, claimableDuringPauses, currentPause, hasPauses } from "#app/email/pauses.server.ts";
import {
  hasPriority,
  LEASE,
  type Only,
  quotas,
  toImported,
  toOwner,
  toUnverified,
  toVerified,
  usedWithinHour,
} from "#app/email/quotas.server.ts";
import { MAX_ATTEMPTS } from "#app/email/retry-schedule.ts";
import { dueInTurn, MAX_WAITING_BEYOND_BRAKE } from "#app/email/turns.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import { type EmailKind, emailOutbox } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { isConfirmation } from "#app/waitlist/confirmation.server.ts";

/** An email leased to one sender. */
export interface ClaimedEmail {
  id: string;
  kind: EmailKind;
  /** The recipient's entry and address; null for emails to an owner. */
  entryId: number | null;
  email: string | null;
  /** The recipient's id; null for emails to entries. */
  ownerId: string | null;
  data: object | null;
  /** An owner's words in place of the original ones, as JSON. */
  wording: string | null;
  /** Whether an owner added the recipient, by hand or from a file. */
  wasAddedByOwner: boolean;
  /** The version of the consent wording that the recipient agreed to; null if none is stated. */
  consentVersion: string | null;
  /** When it was queued (milliseconds since 1970): the same for all attempts, so links in it may contain it. */
  createdAt: number;
  /** Attempts so far, including this one. */
  attempts: number;
}

/** What an attempt at a claimed email needs to know besides its content. */
export interface Claim extends ClaimedEmail {
  /** The first attempt that the provider may have accepted; this one at the earliest. */
  firstAttemptAt: number;
  /** When it was claimed (milliseconds since 1970). */
  claimedAt: number;
  /** Whether all email was paused until then: this one's success ends that. */
  wasPaused: boolean;
  /** The end of a pause of all email that it was claimed in spite of (milliseconds since 1970), or null. */
  pausedUntil: number | null;
  /** Whether the provider has just accepted other emails. */
  acceptsOthers: boolean;
}

export interface ClaimOptions {
  /** Milliseconds since 1970. */
  now: number;
  /** Maximum number of emails. */
  limit: number;
  /** The send limit: emails the whole site may send to entries per hour. */
  perHour: number;
  /** Ids of the owners. Emails to former ones stay in the outbox. */
  owners: string[];
  /** Claim only emails to this address, or only the one with this id. */
  only?: NonNullable<Only>;
  /** Whether to claim during a pause of all email as well. */
  despitePause?: boolean;
  /** Whether one email of each network with few goes beyond the half of the send limit that unverified sign-ups get. */
  beyondBrake?: boolean;
}

/**
 * Claims due emails by priority, then in turn by network, then age. Atomic: concurrent senders never claim the same row, nor
 * together exceed the send limit, which emails to owners are exempt from. Emails to unverified sign-ups get at most half of
 * the send limit, and up to a quarter more in turn, of networks with few; those to imported people, which come last, a quarter of it. Claims none
 * while all email is paused.
 */
export async function claimDue(db: Db, options: ClaimOptions): Promise<Claim[]> {
  const { now, limit, perHour, owners, only } = options;
  const { id, priority, next_attempt_at } = emailOutbox;
  const quota = quotas(sql`used`, { now, perHour });
  const due = (condition: SQL | undefined) =>
    sql`${db
      .select({
        id,
        priority,
        next_attempt_at,
        has_network: sql`false`.as("has_network"),
        turn: sql`1`.as("turn"),
        waiting: sql`1`.as("waiting"),
      })
      .from(emailOutbox)
      .where(and(condition, isDue(now), isOnly(db, only)))
      .orderBy(priority, next_attempt_at)
      .getSQL()}`;
  // SQLite treats a negative LIMIT as no limit.
  const atMost = (left: SQL) => sql`LIMIT max(0, min(${limit}, ${left}))`;
  const inTurn = (priorities: [number], left: SQL) =>
    only === undefined
      ? dueInTurn({ priority: priorities[0], condition: and(isDue(now), isWanted), limit, quota: left })
      : due(and(hasPriority(priorities, only), isWanted));
  // A claim of one person's email takes no turn.
  const beyond = options.beyondBrake === true ? quota.unverifiedInTurn : quota.unverified;
  const goesBeyond = sql`turn = 1 AND has_network AND waiting <= ${MAX_WAITING_BEYOND_BRAKE}`;
  const placed = sql`SELECT *, row_number() OVER (ORDER BY turn, next_attempt_at) AS place,
    row_number() OVER (PARTITION BY ${goesBeyond} ORDER BY next_attempt_at) AS place_beyond FROM (${inTurn(toUnverified, beyond)})`;
  const verified = sql`SELECT * FROM (${inTurn(toVerified, quota.all)}) ORDER BY turn, next_attempt_at ${atMost(quota.all)}`;
  const unverified = sql`SELECT id, priority, next_attempt_at, has_network, turn, waiting FROM (${placed})
    WHERE place <= ${quota.unverified} OR (${goesBeyond} AND place_beyond <= ${beyond}) ORDER BY place ${atMost(beyond)}`;
  const imported = sql`${due(and(hasPriority(toImported, only), isNull(emailOutbox.network), isWanted))} ${atMost(quota.imported)}`;
  const shares = sql`SELECT * FROM (${verified}) UNION ALL SELECT * FROM (${unverified}) UNION ALL SELECT * FROM (${imported})`;
  const limited = sql`SELECT * FROM (${shares}) ORDER BY priority, turn, next_attempt_at ${atMost(quota.all)}`;
  const isToOwner = and(hasPriority(toOwner, only), isNull(emailOutbox.network), inArray(emailOutbox.owner_id, owners));
  const exempt = sql`${due(isToOwner)} LIMIT ${limit}`;
  const claimable =
    options.despitePause === true ? sql`${limit}` : claimableDuringPauses(now, limit, only === undefined);
  const claimed = sql`WITH used AS MATERIALIZED ${usedWithinHour(db, now)}
    SELECT id FROM (SELECT * FROM (${limited}) UNION ALL SELECT * FROM (${exempt}))
    ORDER BY priority, turn, next_attempt_at LIMIT ${claimable}`;
  const claims = await db
    .update(emailOutbox)
    .set({
      leased_until: now + LEASE,
      next_attempt_at: now + LEASE,
      network: null,
      attempts: sql`${emailOutbox.attempts} + 1`,
      first_attempt_at: sql`coalesce(${emailOutbox.first_attempt_at}, ${now})`,
    })
    .where(sql`${id} IN (${claimed})`)
    .returning({
      id,
      kind: emailOutbox.kind,
      entryId: emailOutbox.entry_id,
      ownerId: emailOutbox.owner_id,
      data: emailOutbox.data,
      wording: sql<string | null>`(SELECT json_object('subject', subject, 'heading', heading, 'body', body)
        FROM email_wordings WHERE email_wordings.kind = email_outbox.kind)`,
      createdAt: emailOutbox.created_at,
      attempts: emailOutbox.attempts,
      firstAttemptAt: sql<number>`${emailOutbox.first_attempt_at}`,
      claimedAt: sql<number>`${now}`,
      wasPaused: hasPauses.mapWith(Boolean),
      pausedUntil: currentPause(now),
      acceptsOthers: acceptsEmail(now),
      email: sql<string | null>`(SELECT email FROM waitlist_emails WHERE id = entry_id)`,
      // One query for both, which reads the row once.
      recipient: sql<string | null>`(SELECT json_object(
        'wasAddedByOwner', import_id IS NOT NULL OR metadata ->> 'signup_platform' = 'owner', 'consentVersion', consent_version)
        FROM waitlist_emails WHERE id = entry_id)`,
    });
  return claims.map(({ recipient, ...claim }) => {
    const { wasAddedByOwner = 0, consentVersion = null } = JSON.parse(recipient ?? "{}");
    return { ...claim, wasAddedByOwner: wasAddedByOwner === 1, consentVersion };
  });
}

/**
 * Whether an email to one recipient is due, and not known to wait for a limit, of which the sweeps take care. Reads
 * a few rows, whereas {@link claimDue} counts all emails of the last hour.
 */
export async function isAnyDue(db: Db, now: number, only: NonNullable<Only>): Promise<boolean> {
  const { id, reason } = emailOutbox;
  const waits: EmailReason[] = ["send-limit", "unverified-limit", "sign-up-bounces"];
  const due = db
    .select({ id })
    .from(emailOutbox)
    .where(and(isDue(now), isOnly(db, only), or(isNull(reason), notInArray(reason, waits))));
  return (await due.limit(1)).length > 0;
}

/** Marks emails dead whose last attempt never finished, as when the sender was killed. */
export async function markExhaustedDead(db: Db, now: number): Promise<number> {
  const dead = await db
    .update(emailOutbox)
    .set({ dead_at: now, reason: "outcome-unknown" satisfies EmailReason })
    // Emails with a network were never attempted: the index leaves them out.
    .where(
      and(
        hasPriority([...toOwner, ...toVerified, ...toUnverified, ...toImported]),
        isNull(emailOutbox.network),
        isDue(now),
        gte(emailOutbox.attempts, MAX_ATTEMPTS),
      ),
    )
    .returning({ id: emailOutbox.id });
  return dead.length;
}

/** Records why due emails are not being sent. */
export async function recordReason(db: Db, reason: EmailReason, now: number): Promise<void> {
  await db
    .update(emailOutbox)
    .set({ reason })
    .where(and(isDue(now), or(isNull(emailOutbox.reason), ne(emailOutbox.reason, reason))));
}

/** Limits a query to `only`. */
export function isOnly(db: Db, only: Only): SQL | undefined {
  if (only === undefined) return undefined;
  if ("id" in only) return eq(emailOutbox.id, only.id);
  const entry = db.select({ id: waitlistEmails.id }).from(waitlistEmails).where(eq(waitlistEmails.email, only.email));
  return inArray(emailOutbox.entry_id, entry);
}

/** Neither sent nor dead, and it is time for an attempt. */
export function isDue(now: number) {
  return and(isNull(emailOutbox.sent_at), isNull(emailOutbox.dead_at), lte(emailOutbox.next_attempt_at, now));
}

/**
 * Unsubscribed people get no welcome; people who are back on the list are not asked to rejoin. Unconfirmed people get
 * nothing but the emails that ask them to confirm, which people who have done so do not get.
 */
export const isWanted = sql`EXISTS (
  SELECT 1 FROM ${waitlistEmails} WHERE ${waitlistEmails.id} = ${emailOutbox.entry_id}
  AND ${waitlistEmails.status} = CASE ${emailOutbox.kind}
    WHEN 'rejoin' THEN 'unsubscribed' WHEN 'my-data-link' THEN ${waitlistEmails.status} ELSE 'active' END
  AND (${emailOutbox.kind} NOT IN ('welcome', 'confirm', 'confirm-reminder')
    OR (${emailOutbox.kind} <> 'welcome') = ${isConfirmation.unconfirmed})
)`;
