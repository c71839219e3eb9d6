import { and, eq, isNotNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import { entryEmailRow, queuedAgain, randomUuid, unattempted } from "#app/server/db/enqueue-email.server.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { isSuppressed } from "#app/server/db/suppressions.server.ts";
import { DAY, type EpochMillis, MINUTE, type Millis } from "#app/server/time/units.ts";
import { isConfirmation } from "#app/waitlist/confirmation/confirmation.server.ts";

/** Dead for good: the address does not accept email or cannot get any, or its person wants none. */
export const neverRequeued = [
  "address-refused",
  "soft-bounces",
  "complaint",
  "never",
  "blocked",
  "international-address",
  "example-address",
] as const satisfies readonly EmailReason[];

/**
 * Requeues dead emails to entries, due now. They keep their ids, so that a provider with idempotency keys drops any
 * that did arrive; one whose outcome stayed unknown gets a new id, because the provider refuses or has forgotten its key.
 *
 * @param emails `failed` leaves out {@link neverRequeued} and emails that may have arrived; `outcome-unknown` means only
 * the latter
 */
export async function requeueDead(
  db: Db,
  now: EpochMillis,
  emails: "failed" | "outcome-unknown" = "failed",
): Promise<number> {
  const isUnknown = sql`reason IS ${"outcome-unknown" satisfies EmailReason}`;
  const isFailed = sql`coalesce(reason, '') NOT IN ${[...neverRequeued, "outcome-unknown"]}`;
  const requeue = db
    .update(emailOutbox)
    .set({
      id: sql`iif(${isUnknown}, ${randomUuid}, ${emailOutbox.id})`,
      // A letter's answers were chosen when an owner sent it again.
      data: sql`iif(${isUnknown} AND kind <> 'letter', json_remove(data, '$.answers'), data)`,
      dead_at: null,
      attempts: 0,
      first_attempt_at: null,
      next_attempt_at: now,
      leased_until: 0,
    })
    .where(sql`entry_id IS NOT NULL AND dead_at IS NOT NULL AND ${emails === "failed" ? isFailed : isUnknown}`);
  const changes = db.select({ emails: sql<number>`changes()` }).from(sql`(SELECT 1)`);
  const [, [requeued]] = await db.batch([requeue, changes]);
  return requeued?.emails ?? 0;
}

/** How often the owner can queue an email to an entry again within {@link RESEND_PERIOD}. */
export const MAX_RESENDS = 3;

const RESEND_PERIOD = DAY;

/**
 * Queues an active entry's welcome email again, due now, whether it was sent, waits or is dead. One that is being sent
 * is left alone, and an unconfirmed entry gets none. The row's data holds the times, so that {@link MAX_RESENDS} is never
 * exceeded.
 */
export async function requeueWelcome(
  db: Db,
  entryId: number,
  now: EpochMillis,
): Promise<"queued" | "limit" | "unchanged"> {
  const { id, done_at, leased_until, dedupe_key, created_at, data, reason } = emailOutbox;
  const isActive = sql`${waitlistEmails.id} = ${entryId} AND ${waitlistEmails.status} = 'active'
    AND NOT ${isConfirmation.unconfirmed}`;
  const recent = sql`SELECT value FROM json_each(${data}, '$.resends') WHERE value > ${now - RESEND_PERIOD}`;
  const isFull = sql<number>`(SELECT count(*) FROM (${recent})) >= ${MAX_RESENDS}`;
  const limit = db
    .select({ isFull })
    .from(emailOutbox)
    .innerJoin(waitlistEmails, and(isActive, eq(waitlistEmails.id, emailOutbox.entry_id)))
    .where(eq(dedupe_key, `welcome:${entryId}`));
  const first = { id: crypto.randomUUID(), now, data: sql`json_object('resends', json_array(${now}))` };
  const keepsId = sql`${done_at} IS NULL AND ${reason} IS NOT ${"outcome-unknown" satisfies EmailReason}`;
  const resends = sql`json_object('resends', (
    SELECT json_group_array(value) FROM (${recent} UNION ALL SELECT ${now})))`;
  const upsert = db
    .insert(emailOutbox)
    .select(entryEmailRow(db, "welcome", first, isActive))
    .onConflictDoUpdate({
      target: dedupe_key,
      set: {
        ...unattempted,
        // A new id makes it a new email to the provider; an unsent one keeps its idempotency key, if that can be used again.
        id: sql`iif(${keepsId}, ${id}, excluded.id)`,
        priority: sql`excluded.priority`,
        network: null,
        next_attempt_at: now,
        created_at: sql`iif(${done_at} IS NULL, ${created_at}, excluded.created_at)`,
        // Nor do the answers in its greetings change then.
        data: sql`iif(${keepsId} AND ${data} ->> '$.answers' IS NOT NULL,
          json_set(${resends}, '$.answers', json(${data} -> '$.answers')), ${resends})`,
      },
      setWhere: and(lte(leased_until, now), sql`NOT ${isFull}`),
    })
    .returning({ id });
  const [limits, queued] = await db.batch([limit, upsert]);
  if (queued.length > 0) return "queued";
  return limits[0]?.isFull === 1 ? "limit" : "unchanged";
}

/** Two presses within this time, of one owner or of two, send one email. */
export const REPEAT_INTERVAL: Millis = 10 * MINUTE;

/** `letter`: its id, and SQL for a JSON object with the answers in it, or null. `condition`: on `waitlist_emails`. */
export type Repeated = { kind: "confirm" } | { kind: "letter"; letter: number; answers: SQL; condition: SQL };

/** `limit`: {@link MAX_RESENDS}; `recent`: it waits, or was queued within {@link REPEAT_INTERVAL}; `refused`: the person may not get it now. */
export type RepeatOutcome = { kind: "queued"; id: string } | { kind: "limit" | "recent" | "refused" };

/**
 * Queues an email to one person again, due now: the request to confirm their address, or a letter. One statement decides:
 * only an active person whose address gets email is sent it, a letter only if the address is confirmed where that is asked,
 * the other only if it is not; and never two within {@link REPEAT_INTERVAL}. It is a new email with a key and answers of its
 * own, so one that the provider may still be asked to send is left as it is.
 */
export async function repeatEmail(
  db: Db,
  entryId: number,
  repeated: Repeated,
  now: EpochMillis,
): Promise<RepeatOutcome> {
  const { id, done_at, dead_at, leased_until, dedupe_key, created_at, data } = emailOutbox;
  const isLetter = repeated.kind === "letter";
  const mayGetIt = sql`${waitlistEmails.id} = ${entryId} AND ${waitlistEmails.status} = 'active'
    AND NOT ${isSuppressed(now)}
    AND ${isLetter ? sql`NOT ${isConfirmation.unconfirmed} AND ${repeated.condition}` : isConfirmation.unconfirmed}`;
  const recent = sql`SELECT value FROM json_each(${data}, '$.resends') WHERE value > ${now - RESEND_PERIOD}`;
  const isFull = sql`(SELECT count(*) FROM (${recent})) >= ${MAX_RESENDS}`;
  const isOver = or(isNotNull(done_at), isNotNull(dead_at));
  const isPast = and(lte(created_at, now - REPEAT_INTERVAL), lte(leased_until, now), isOver);
  // What is known of the place where an address was given stays; a letter has the present answers.
  const [first, next] = isLetter
    ? [sql`json_object('letter', ${repeated.letter}, 'answers', json(${repeated.answers}))`, sql`excluded.data`]
    : [sql`'{}'`, sql`coalesce(${data}, '{}')`];
  const row = {
    id: crypto.randomUUID(),
    now,
    letter: isLetter ? repeated.letter : undefined,
    data: sql`json_set(${first}, '$.resends', json_array(${now}))`,
  };
  const resends = sql`(SELECT json_group_array(value) FROM (${recent} UNION ALL SELECT ${now}))`;
  const queue = db
    .insert(emailOutbox)
    .select(entryEmailRow(db, repeated.kind, row, mayGetIt))
    .onConflictDoUpdate({
      target: dedupe_key,
      set: {
        ...queuedAgain(now),
        priority: sql`excluded.priority`,
        network: null,
        data: sql`json_set(${next}, '$.resends', json(${resends}))`,
      },
      setWhere: and(isPast, sql`NOT ${isFull}`),
    })
    .returning({ id });
  const key = `${repeated.kind}:${isLetter ? `${repeated.letter}:` : ""}${entryId}`;
  const known = db
    .select({ isFull: sql<number>`${isFull} AND ${isPast}` })
    .from(emailOutbox)
    .where(eq(dedupe_key, key));
  const allowed = db.select({ id: waitlistEmails.id }).from(waitlistEmails).where(mayGetIt);
  const [[before], persons, [queued]] = await db.batch([known, allowed, queue]);
  if (queued !== undefined) return { kind: "queued", id: queued.id };
  if (persons.length === 0) return { kind: "refused" };
  return { kind: before?.isFull === 1 ? "limit" : "recent" };
}
