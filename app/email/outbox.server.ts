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

/** Mail that one sender holds, and nobody else until its lease ends. */
export interface ClaimedEmail {
  id: string;
  kind: EmailKind;
  entryId: number;
  email: string;
  /** How many tries this one makes it. */
  attempts: number;
}

/** How long a claimed mail is held (milliseconds): well over what a whole batch may take to send. */
export const LEASE = 2 * 60_000;

/** The stretch of time that the ceiling speaks of (milliseconds). */
const HOUR = 60 * 60_000;

/** Which mail to claim, and how much of it. */
export interface Claim {
  /** Milliseconds since 1970. */
  now: number;
  /** Mails at most. */
  limit: number;
  /** Mails that the whole site may send within an hour. */
  perHour: number;
  /** Claim only what is owed to this address. */
  email?: string;
}

/**
 * Claims mail that is due, oldest first, in one atomic statement: of two senders at once only one gets a row, and all
 * of them together never more than the ceiling leaves.
 */
export async function claimDue(db: Db, { now, limit, perHour, email }: Claim): Promise<ClaimedEmail[]> {
  const due = db
    .select({ id: emailOutbox.id })
    .from(emailOutbox)
    .where(and(isDue(now), isAddressedTo(db, email)))
    .orderBy(asc(emailOutbox.next_attempt_at));
  const claim = db
    .update(emailOutbox)
    .set({ leased_until: now + LEASE, attempts: sql`${emailOutbox.attempts} + 1` })
    // SQLite takes a negative limit for none.
    .where(sql`${emailOutbox.id} IN (${due.getSQL()} LIMIT max(0, min(${limit}, ${remainingQuota(db, now, perHour)})))`)
    .returning({
      id: emailOutbox.id,
      kind: emailOutbox.kind,
      entryId: emailOutbox.entry_id,
      attempts: emailOutbox.attempts,
      email: sql<string>`(SELECT email FROM waitlist_emails WHERE id = entry_id)`,
    });
  return inTime(claim);
}

export async function markSent(db: Db, id: string, now: number): Promise<void> {
  await inTime(
    db.update(emailOutbox).set({ sent_at: now, leased_until: 0, last_error: null }).where(eq(emailOutbox.id, id)),
  );
}

/** Keeps the reason, and the mail for a later try; or as dead, where the owner finds it. */
export async function markFailed(
  db: Db,
  { id, attempts }: ClaimedEmail,
  failure: { reason: string; permanent: boolean },
  now: number,
): Promise<"waiting" | "dead"> {
  const dead = failure.permanent || attempts >= MAX_ATTEMPTS;
  await inTime(
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

/** Buries mail whose last try never reported back, as when the sender was killed in the middle of it. */
export async function markExhaustedDead(db: Db, now: number): Promise<number> {
  const buried = await inTime(
    db
      .update(emailOutbox)
      .set({
        dead_at: now,
        last_error: sql`coalesce(${emailOutbox.last_error}, 'the sender stopped during the last try')`,
      })
      .where(and(isDue(now), gte(emailOutbox.attempts, MAX_ATTEMPTS)))
      .returning({ id: emailOutbox.id }),
  );
  return buried.length;
}

/** Writes beside waiting mail why nobody tries to send it. */
export async function recordReason(db: Db, reason: string, now: number): Promise<void> {
  await inTime(
    db
      .update(emailOutbox)
      .set({ last_error: reason })
      .where(and(isDue(now), or(isNull(emailOutbox.last_error), ne(emailOutbox.last_error, reason)))),
  );
}

/**
 * Writes beside due mail that it waits because the site has sent its share for this hour. Its tries are not used up.
 *
 * @returns how many mails wait for that reason; 0 while there is room
 */
export async function recordSendLimit(db: Db, { now, perHour, email }: Omit<Claim, "limit">): Promise<number> {
  const reason = `the ceiling of ${perHour} mails an hour is reached (MAIL_PER_HOUR)`;
  const held = and(isDue(now), isAddressedTo(db, email), sql`${remainingQuota(db, now, perHour)} <= 0`);
  const note = db
    .update(emailOutbox)
    .set({ last_error: reason })
    .where(and(held, or(isNull(emailOutbox.last_error), ne(emailOutbox.last_error, reason))));
  const counting = db.select({ mails: count() }).from(emailOutbox).where(held);
  const [, [counted]] = await inTime(db.batch([note, counting]));
  return counted?.mails ?? 0;
}

/**
 * Gives dead mail its tries again, due at once. It keeps its id: should one of the tries have arrived after all, a
 * provider that knows idempotency keys sends it no second time.
 *
 * @returns how many
 */
export async function requeueDead(db: Db, now: number): Promise<number> {
  const revive = db
    .update(emailOutbox)
    .set({ dead_at: null, attempts: 0, next_attempt_at: now, leased_until: 0 })
    .where(isNotNull(emailOutbox.dead_at));
  const changes = db.select({ mails: sql<number>`changes()` }).from(sql`(SELECT 1)`);
  const [, [revived]] = await inTime(db.batch([revive, changes]));
  return revived?.mails ?? 0;
}

/**
 * Owes an active entry its welcome mail once more, due at once: sent anew where it was sent, tried anew where it waits or
 * is dead. A try that is under way is left alone.
 *
 * @returns whether a mail is owed now because of it
 */
export async function requeueWelcome(db: Db, entryId: number, now: number): Promise<boolean> {
  const { id, sent_at, leased_until, entry_id, kind } = emailOutbox;
  const isActive = db
    .select({ id: waitlistEmails.id })
    .from(waitlistEmails)
    .where(and(eq(waitlistEmails.id, entryId), eq(waitlistEmails.status, "active")));
  const again = db
    .insert(emailOutbox)
    .select(
      sql`SELECT ${crypto.randomUUID()}, id, 'welcome', 0, ${now}, 0, NULL, NULL, NULL, ${now} FROM (${isActive}) WHERE true`,
    )
    .onConflictDoUpdate({
      target: [entry_id, kind],
      set: {
        // A new mail to a provider, unless it may be one that is still to be sent.
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
  return (await inTime(again)).length > 0;
}

/** Mail that waits or is dead, newest first, without addresses. */
export async function listUnsent(db: Db, state: "waiting" | "dead", limit: number) {
  const { sent_at, dead_at, next_attempt_at } = emailOutbox;
  const [condition, newest] =
    state === "dead" ? [isNotNull(dead_at), dead_at] : [and(isNull(sent_at), isNull(dead_at)), next_attempt_at];
  return inTime(db.select().from(emailOutbox).where(condition).orderBy(desc(newest)).limit(limit));
}

/** How many more mails may be claimed now: the ceiling less those sent within the hour and those being sent. */
function remainingQuota(db: Db, now: number, perHour: number): SQL {
  const { sent_at, leased_until } = emailOutbox;
  const sent = db
    .select({ mails: count() })
    .from(emailOutbox)
    .where(gt(sent_at, now - HOUR));
  // `> 0` lets SQLite use the index on leases.
  const leased = db
    .select({ mails: count() })
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

/** Whoever has left gets no welcome, and whoever is back is not asked whether they want to be. */
const isWanted = sql`EXISTS (
  SELECT 1 FROM ${waitlistEmails} WHERE ${waitlistEmails.id} = ${emailOutbox.entry_id}
  AND ${waitlistEmails.status} = CASE ${emailOutbox.kind} WHEN 'rejoin' THEN 'unsubscribed' ELSE 'active' END
)`;

function inTime<T>(query: PromiseLike<T>): Promise<T> {
  return withTimeout(Promise.resolve(query), DB_TIMEOUT, "D1");
}
