import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { MAX_ATTEMPTS, retryDelay } from "#app/email/retry-schedule.ts";
import { DB_TIMEOUT, type Db } from "#app/server/db/client.server.ts";
import { type EmailKind, emailOutbox, waitlistEmails } from "#app/server/db/schema.server.ts";
import { withTimeout } from "#app/server/timeout.ts";

/** An email leased to one sender. */
export interface ClaimedEmail {
  id: string;
  kind: EmailKind;
  entryId: number;
  email: string;
  /** Attempts so far, including this one. */
  attempts: number;
}

/** How long a claimed email stays leased (milliseconds): well over the time a batch takes to send. */
export const LEASE = 2 * 60_000;

/** Period of the send limit (milliseconds). */
const HOUR = 60 * 60_000;

export interface ClaimOptions {
  /** Milliseconds since 1970. */
  now: number;
  /** Maximum number of emails. */
  limit: number;
  /** The send limit: emails the whole site may send per hour. */
  perHour: number;
  /** Claim only emails to this address. */
  email?: string;
}

/**
 * Claims due emails, oldest first. Atomic: concurrent senders never claim the same row, nor together exceed the send
 * limit.
 */
export async function claimDue(db: Db, { now, limit, perHour, email }: ClaimOptions): Promise<ClaimedEmail[]> {
  const due = db
    .select({ id: emailOutbox.id })
    .from(emailOutbox)
    .where(and(isDue(now), isAddressedTo(db, email)))
    .orderBy(asc(emailOutbox.next_attempt_at));
  const claim = db
    .update(emailOutbox)
    .set({ leased_until: now + LEASE, attempts: sql`${emailOutbox.attempts} + 1` })
    // SQLite treats a negative LIMIT as no limit.
    .where(sql`${emailOutbox.id} IN (${due.getSQL()} LIMIT max(0, min(${limit}, ${remainingQuota(db, now, perHour)})))`)
    .returning({
      id: emailOutbox.id,
      kind: emailOutbox.kind,
      entryId: emailOutbox.entry_id,
      attempts: emailOutbox.attempts,
      email: sql<string>`(SELECT email FROM waitlist_emails WHERE id = entry_id)`,
    });
  return withDbTimeout(claim);
}

export async function markSent(db: Db, id: string, now: number): Promise<void> {
  await withDbTimeout(
    db.update(emailOutbox).set({ sent_at: now, leased_until: 0, last_error: null }).where(eq(emailOutbox.id, id)),
  );
}

/** Records the reason and schedules a retry, or marks the email dead. */
export async function markFailed(
  db: Db,
  { id, attempts }: ClaimedEmail,
  failure: { reason: string; permanent: boolean },
  now: number,
): Promise<"waiting" | "dead"> {
  const dead = failure.permanent || attempts >= MAX_ATTEMPTS;
  await withDbTimeout(
    db
      .update(emailOutbox)
      .set({
        last_error: failure.reason.slice(0, 500),
        leased_until: 0,
        ...(dead ? { dead_at: now } : { next_attempt_at: now + retryDelay(attempts) }),
      })
      .where(eq(emailOutbox.id, id)),
  );
  return dead ? "dead" : "waiting";
}

/** Marks emails dead whose last attempt never finished, as when the sender was killed. */
export async function markExhaustedDead(db: Db, now: number): Promise<number> {
  const dead = await withDbTimeout(
    db
      .update(emailOutbox)
      .set({
        dead_at: now,
        last_error: sql`coalesce(${emailOutbox.last_error}, 'the sender stopped during the last try')`,
      })
      .where(and(isDue(now), gte(emailOutbox.attempts, MAX_ATTEMPTS)))
      .returning({ id: emailOutbox.id }),
  );
  return dead.length;
}

/** Records why due emails are not being sent. */
export async function recordReason(db: Db, reason: string, now: number): Promise<void> {
  await withDbTimeout(
    db
      .update(emailOutbox)
      .set({ last_error: reason })
      .where(and(isDue(now), or(isNull(emailOutbox.last_error), ne(emailOutbox.last_error, reason)))),
  );
}

/**
 * Records that due emails wait for the send limit. This uses up no attempt.
 *
 * @returns how many emails wait for it; 0 while the limit is not reached
 */
export async function recordSendLimit(db: Db, { now, perHour, email }: Omit<ClaimOptions, "limit">): Promise<number> {
  const reason = `the ceiling of ${perHour} mails an hour is reached (MAIL_PER_HOUR)`;
  const held = and(isDue(now), isAddressedTo(db, email), sql`${remainingQuota(db, now, perHour)} <= 0`);
  const update = db
    .update(emailOutbox)
    .set({ last_error: reason })
    .where(and(held, or(isNull(emailOutbox.last_error), ne(emailOutbox.last_error, reason))));
  const counting = db.select({ emails: count() }).from(emailOutbox).where(held);
  const [, [counted]] = await withDbTimeout(db.batch([update, counting]));
  return counted?.emails ?? 0;
}

/**
 * Requeues dead emails, due now. They keep their ids, so that a provider with idempotency keys drops any that did
 * arrive.
 *
 * @returns how many
 */
export async function requeueDead(db: Db, now: number): Promise<number> {
  const requeue = db
    .update(emailOutbox)
    .set({ dead_at: null, attempts: 0, next_attempt_at: now, leased_until: 0 })
    .where(isNotNull(emailOutbox.dead_at));
  const changes = db.select({ emails: sql<number>`changes()` }).from(sql`(SELECT 1)`);
  const [, [requeued]] = await withDbTimeout(db.batch([requeue, changes]));
  return requeued?.emails ?? 0;
}

/**
 * Queues an active entry's welcome email again, due now, whether it was sent, waits or is dead. One that is being sent
 * is left alone.
 *
 * @returns whether an email was queued
 */
export async function requeueWelcome(db: Db, entryId: number, now: number): Promise<boolean> {
  const { id, sent_at, leased_until, entry_id, kind } = emailOutbox;
  const isActive = db
    .select({ id: waitlistEmails.id })
    .from(waitlistEmails)
    .where(and(eq(waitlistEmails.id, entryId), eq(waitlistEmails.status, "active")));
  const upsert = db
    .insert(emailOutbox)
    .select(
      sql`SELECT ${crypto.randomUUID()}, id, 'welcome', 0, ${now}, 0, NULL, NULL, NULL, ${now} FROM (${isActive}) WHERE true`,
    )
    .onConflictDoUpdate({
      target: [entry_id, kind],
      set: {
        // A new id makes it a new email to the provider; an unsent one keeps its idempotency key.
        id: sql`iif(${sent_at} IS NULL, ${id}, excluded.id)`,
        attempts: 0,
        next_attempt_at: now,
        leased_until: 0,
        sent_at: null,
        dead_at: null,
        last_error: null,
        created_at: sql`iif(${sent_at} IS NULL, ${emailOutbox.created_at}, excluded.created_at)`,
      },
      setWhere: lte(leased_until, now),
    })
    .returning({ id });
  return (await withDbTimeout(upsert)).length > 0;
}

/** Waiting or dead emails, newest first, without addresses. */
export async function listUnsent(db: Db, state: "waiting" | "dead", limit: number) {
  const { sent_at, dead_at, next_attempt_at } = emailOutbox;
  const [condition, newest] =
    state === "dead" ? [isNotNull(dead_at), dead_at] : [and(isNull(sent_at), isNull(dead_at)), next_attempt_at];
  return withDbTimeout(db.select().from(emailOutbox).where(condition).orderBy(desc(newest)).limit(limit));
}

/** How many more emails may be claimed now: the send limit less those sent within the hour and those being sent. */
function remainingQuota(db: Db, now: number, perHour: number): SQL {
  const { sent_at, leased_until } = emailOutbox;
  const sent = db
    .select({ emails: count() })
    .from(emailOutbox)
    .where(gt(sent_at, now - HOUR));
  // `> 0` lets SQLite use the index on leases.
  const leased = db
    .select({ emails: count() })
    .from(emailOutbox)
    .where(sql`${leased_until} > 0 AND ${leased_until} > ${now}`);
  return sql`(${perHour} - ${sent} - ${leased})`;
}

function isAddressedTo(db: Db, email: string | undefined): SQL | undefined {
  if (email === undefined) return undefined;
  const entry = db.select({ id: waitlistEmails.id }).from(waitlistEmails).where(eq(waitlistEmails.email, email));
  return inArray(emailOutbox.entry_id, entry);
}

function isDue(now: number) {
  return and(
    isNull(emailOutbox.sent_at),
    isNull(emailOutbox.dead_at),
    lte(emailOutbox.next_attempt_at, now),
    lte(emailOutbox.leased_until, now),
    isWanted,
  );
}

/** Unsubscribed people get no welcome; people who are back on the list are not asked to rejoin. */
const isWanted = sql`EXISTS (
  SELECT 1 FROM ${waitlistEmails} WHERE ${waitlistEmails.id} = ${emailOutbox.entry_id}
  AND ${waitlistEmails.status} = CASE ${emailOutbox.kind} WHEN 'rejoin' THEN 'unsubscribed' ELSE 'active' END
)`;

function withDbTimeout<T>(query: PromiseLike<T>): Promise<T> {
  return withTimeout(Promise.resolve(query), DB_TIMEOUT, "D1");
}
