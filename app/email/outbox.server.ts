import { and, count, desc, eq, gt, gte, inArray, isNotNull, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import type { EmailReason } from "#app/email/reasons.ts";
import { MAX_ATTEMPTS } from "#app/email/retry-schedule.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { entryEmailRow, unattempted } from "#app/server/db/enqueue-email.server.ts";
import { type EmailKind, emailOutbox, emailPriority, waitlistEmails } from "#app/server/db/schema.server.ts";

/** An email leased to one sender. */
export interface ClaimedEmail {
  id: string;
  kind: EmailKind;
  /** The recipient's entry and address; null for emails to the owner. */
  entryId: number | null;
  email: string | null;
  data: object | null;
  /** When it was queued (milliseconds since 1970): the same for all attempts, so links in it may contain it. */
  createdAt: number;
  /** Attempts so far, including this one. */
  attempts: number;
}

/** How an attempt ended. */
export type AttemptResult = { id: string } & (
  | { state: "sent" }
  | { state: "waiting"; reason: string; nextAttemptAt: number }
  | { state: "dead"; reason: string; nextAttemptAt?: number }
);

/** How long a claimed email stays leased (milliseconds): well over the time a batch takes to send. */
export const LEASE = 2 * 60_000;

/** Period of the send limit (milliseconds). */
const HOUR = 60 * 60_000;

export interface ClaimOptions {
  /** Milliseconds since 1970. */
  now: number;
  /** Maximum number of emails. */
  limit: number;
  /** The send limit: emails the whole site may send to entries per hour. */
  perHour: number;
  /** Whether emails to the owner can be sent, too. */
  hasOwner: boolean;
  /** Claim only emails to this address, or only the one with this id. */
  only?: { address: string } | { id: string };
}

/**
 * Claims due emails by priority, then age. Atomic: concurrent senders never claim the same row, nor together exceed the
 * send limit, which emails to the owner are exempt from.
 */
export async function claimDue(db: Db, options: ClaimOptions): Promise<ClaimedEmail[]> {
  const { now, limit, perHour, hasOwner, only } = options;
  const { id, priority, next_attempt_at } = emailOutbox;
  const due = (condition: SQL | undefined) =>
    db
      .select({ id, priority, next_attempt_at })
      .from(emailOutbox)
      .where(and(condition, isDue(now), isOnly(db, only)))
      .orderBy(priority, next_attempt_at);
  // SQLite treats a negative LIMIT as no limit.
  const limited = sql`${due(and(isToEntry(only), isWanted)).getSQL()} LIMIT max(0, min(${limit}, ${remainingQuota(db, now, perHour)}))`;
  const exempt = sql`${due(isToOwner(only)).getSQL()} LIMIT ${hasOwner ? limit : 0}`;
  const claimed = sql`SELECT id FROM (SELECT * FROM (${limited}) UNION ALL SELECT * FROM (${exempt})) ORDER BY priority, next_attempt_at LIMIT ${limit}`;
  return db
    .update(emailOutbox)
    .set({ leased_until: now + LEASE, next_attempt_at: now + LEASE, attempts: sql`${emailOutbox.attempts} + 1` })
    .where(sql`${id} IN (${claimed})`)
    .returning({
      id,
      kind: emailOutbox.kind,
      entryId: emailOutbox.entry_id,
      data: emailOutbox.data,
      createdAt: emailOutbox.created_at,
      attempts: emailOutbox.attempts,
      email: sql<string | null>`(SELECT email FROM waitlist_emails WHERE id = entry_id)`,
    });
}

/** Records how a batch of attempts ended, in one statement. */
export async function recordResults(db: Db, results: AttemptResult[], now: number): Promise<void> {
  const rows = results.map((result) => ({ reason: null, nextAttemptAt: null, ...result }));
  await db.run(sql`UPDATE ${emailOutbox} SET
    leased_until = 0,
    sent_at = iif(result.value ->> 'state' = 'sent', ${now}, NULL),
    dead_at = iif(result.value ->> 'state' = 'dead', ${now}, NULL),
    reason = substr(result.value ->> 'reason', 1, 500),
    next_attempt_at = coalesce(result.value ->> 'nextAttemptAt', ${now})
    FROM json_each(${JSON.stringify(rows)}) AS result WHERE email_outbox.id = result.value ->> 'id'`);
}

/** Marks emails dead whose last attempt never finished, as when the sender was killed. */
export async function markExhaustedDead(db: Db, now: number): Promise<number> {
  const dead = await db
    .update(emailOutbox)
    .set({ dead_at: now, reason: sql`coalesce(${emailOutbox.reason}, 'the sender stopped during the last attempt')` })
    .where(and(isDue(now), gte(emailOutbox.attempts, MAX_ATTEMPTS)))
    .returning({ id: emailOutbox.id });
  return dead.length;
}

/** Records why due emails are not being sent. */
export async function recordReason(db: Db, reason: string, now: number): Promise<void> {
  await db
    .update(emailOutbox)
    .set({ reason })
    .where(and(isDue(now), or(isNull(emailOutbox.reason), ne(emailOutbox.reason, reason))));
}

/**
 * Records that due emails wait for the send limit. This uses up no attempt.
 *
 * @returns how many emails wait for it; 0 while the limit is not reached
 */
export async function recordSendLimit(
  db: Db,
  { now, perHour, only }: Pick<ClaimOptions, "now" | "perHour" | "only">,
): Promise<number> {
  const reason = `the send limit of ${perHour} emails an hour is reached (MAIL_PER_HOUR)`;
  const isFull = sql`${remainingQuota(db, now, perHour)} <= 0`;
  const held = and(isToEntry(only), isDue(now), isWanted, isOnly(db, only), isFull);
  const update = db
    .update(emailOutbox)
    .set({ reason })
    .where(and(held, or(isNull(emailOutbox.reason), ne(emailOutbox.reason, reason))));
  const counting = db.select({ emails: count() }).from(emailOutbox).where(held);
  const [, [counted]] = await db.batch([update, counting]);
  return counted?.emails ?? 0;
}

/**
 * Requeues dead emails to entries, due now. They keep their ids, so that a provider with idempotency keys drops any
 * that did arrive.
 *
 * @returns how many
 */
export async function requeueDead(db: Db, now: number): Promise<number> {
  const requeue = db
    .update(emailOutbox)
    .set({ dead_at: null, attempts: 0, next_attempt_at: now, leased_until: 0 })
    .where(and(isToEntry(), isNotNull(emailOutbox.dead_at)));
  const changes = db.select({ emails: sql<number>`changes()` }).from(sql`(SELECT 1)`);
  const [, [requeued]] = await db.batch([requeue, changes]);
  return requeued?.emails ?? 0;
}

/** How often the owner can queue an entry's welcome email again within {@link RESEND_PERIOD}. */
export const MAX_RESENDS = 3;

const RESEND_PERIOD = 24 * 60 * 60_000;

/**
 * Queues an active entry's welcome email again, due now, whether it was sent, waits or is dead. One that is being sent
 * is left alone. The row's data holds the times, so that {@link MAX_RESENDS} is never exceeded.
 *
 * @returns whether an email was queued, or could not be because of the limit
 */
export async function requeueWelcome(db: Db, entryId: number, now: number): Promise<"queued" | "limit" | "unchanged"> {
  const { id, sent_at, leased_until, dedupe_key, created_at, data } = emailOutbox;
  const isActive = and(eq(waitlistEmails.id, entryId), eq(waitlistEmails.status, "active"));
  const recent = sql`SELECT value FROM json_each(${data}, '$.resends') WHERE value > ${now - RESEND_PERIOD}`;
  const isFull = sql<number>`(SELECT count(*) FROM (${recent})) >= ${MAX_RESENDS}`;
  const limit = db
    .select({ isFull })
    .from(emailOutbox)
    .innerJoin(waitlistEmails, and(isActive, eq(waitlistEmails.id, emailOutbox.entry_id)))
    .where(eq(dedupe_key, `welcome:${entryId}`));
  const first = { id: crypto.randomUUID(), now, data: sql`json_object('resends', json_array(${now}))` };
  const upsert = db
    .insert(emailOutbox)
    .select(entryEmailRow(db, "welcome", first, isActive))
    .onConflictDoUpdate({
      target: dedupe_key,
      set: {
        ...unattempted,
        // A new id makes it a new email to the provider; an unsent one keeps its idempotency key.
        id: sql`iif(${sent_at} IS NULL, ${id}, excluded.id)`,
        next_attempt_at: now,
        created_at: sql`iif(${sent_at} IS NULL, ${created_at}, excluded.created_at)`,
        data: sql`json_object('resends', (
          SELECT json_group_array(value) FROM (${recent} UNION ALL SELECT ${now})))`,
      },
      setWhere: and(lte(leased_until, now), sql`NOT ${isFull}`),
    })
    .returning({ id });
  const [limits, queued] = await db.batch([limit, upsert]);
  if (queued.length > 0) return "queued";
  return limits[0]?.isFull === 1 ? "limit" : "unchanged";
}

/** Waiting or dead emails to entries, newest first, without addresses. */
export async function listUnsent(db: Db, state: "waiting" | "dead", limit: number) {
  const { sent_at, dead_at, next_attempt_at } = emailOutbox;
  const [condition, newest] =
    state === "dead" ? [isNotNull(dead_at), dead_at] : [and(isNull(sent_at), isNull(dead_at)), next_attempt_at];
  return db.select().from(emailOutbox).where(and(isToEntry(), condition)).orderBy(desc(newest)).limit(limit);
}

function isToEntry(only?: ClaimOptions["only"]): SQL {
  return eq(indexedPriority(only), emailPriority.welcome);
}

function isToOwner(only: ClaimOptions["only"]): SQL {
  return inArray(indexedPriority(only), [emailPriority["sign-in"], emailPriority.digest]);
}

/**
 * The priority, which the index on due emails begins with. For one address or id a unary plus keeps SQLite from that
 * index: it would read the whole queue.
 */
function indexedPriority(only: ClaimOptions["only"]): SQL {
  return only === undefined ? sql`${emailOutbox.priority}` : sql`+${emailOutbox.priority}`;
}

/** How many more emails may be claimed now: the send limit less those sent within the hour and those being sent. */
function remainingQuota(db: Db, now: number, perHour: number): SQL {
  const { sent_at, dead_at, leased_until, next_attempt_at } = emailOutbox;
  const sent = db
    .select({ emails: count() })
    .from(emailOutbox)
    .where(and(gt(sent_at, now - HOUR), isToEntry()));
  // A bounce makes a sent email dead. Not counting it would let a flood of bad addresses exceed the limit.
  const bounced = db
    .select({ emails: count() })
    .from(emailOutbox)
    .where(and(gt(dead_at, now - HOUR), eq(emailOutbox.reason, "address-refused" satisfies EmailReason), isToEntry()));
  // A lease ends at `next_attempt_at`, so the index on due emails finds the leased ones. Twice the lease, because the
  // clock of another sender may be ahead.
  const leased = db
    .select({ emails: count() })
    .from(emailOutbox)
    .where(
      and(
        isToEntry(),
        isNull(sent_at),
        isNull(dead_at),
        gt(next_attempt_at, now),
        lte(next_attempt_at, now + 2 * LEASE),
        gt(leased_until, now),
      ),
    );
  return sql`(${perHour} - ${sent} - ${bounced} - ${leased})`;
}

function isOnly(db: Db, only: ClaimOptions["only"]): SQL | undefined {
  if (only === undefined) return undefined;
  if ("id" in only) return eq(emailOutbox.id, only.id);
  const entry = db.select({ id: waitlistEmails.id }).from(waitlistEmails).where(eq(waitlistEmails.email, only.address));
  return inArray(emailOutbox.entry_id, entry);
}

function isDue(now: number) {
  return and(isNull(emailOutbox.sent_at), isNull(emailOutbox.dead_at), lte(emailOutbox.next_attempt_at, now));
}

/** Unsubscribed people get no welcome; people who are back on the list are not asked to rejoin. */
const isWanted = sql`EXISTS (
  SELECT 1 FROM ${waitlistEmails} WHERE ${waitlistEmails.id} = ${emailOutbox.entry_id}
  AND ${waitlistEmails.status} = CASE ${emailOutbox.kind}
    WHEN 'rejoin' THEN 'unsubscribed' WHEN 'my-data-link' THEN ${waitlistEmails.status} ELSE 'active' END
)`;
