import { type SQL, sql } from "drizzle-orm";
import type { Endpoint } from "#app/owner/webhooks/endpoints.server.ts";
import type { EventContent, EventEntry, EventLetter } from "#app/owner/webhooks/payload.server.ts";
import { LONGEST_DUE, LONGEST_WAIT, MAX_ATTEMPTS, MAX_RETRY_AFTER } from "#app/owner/webhooks/retry-delays.ts";
import { TIMEOUT } from "#app/owner/webhooks/send.server.ts";
import { DB_TIMEOUT, type Db } from "#app/server/db/client.server.ts";
import type { WebhookEvent } from "#app/server/db/schema/webhooks.server.ts";
import { isSuppressed } from "#app/server/db/suppressions.server.ts";

/** How long a sender may hold a delivery: it is claimed, sent and recorded in this time (milliseconds). */
export const LEASE = TIMEOUT + 3 * DB_TIMEOUT;

/** A delivery that one sender holds, with its subject as it is now. */
export interface ClaimedDelivery extends EventContent {
  id: number;
  /** So far, including this one. */
  attempts: number;
}

/**
 * Claims the next due deliveries of an endpoint. Atomic: concurrent senders never claim the same one. The attempt counts from
 * here on, so a crash uses it up. None if an owner has changed the endpoint since it was read.
 */
export async function claimDue(db: Db, endpoint: Endpoint, { now, limit }: { now: number; limit: number }) {
  const { id, url, secret_number, has_personal_data } = endpoint;
  const rows = await db.all<ClaimedRow>(sql`
    UPDATE webhook_deliveries SET attempts = attempts + 1, next_attempt_at = ${now + LEASE}
    WHERE id IN (SELECT id FROM webhook_deliveries WHERE ${isDue(id, now)} AND attempts < ${MAX_ATTEMPTS} ORDER BY next_attempt_at LIMIT ${limit})
      AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE id = ${id} AND ${isSendable(now)} AND url = ${url}
        AND secret_number = ${secret_number} AND has_personal_data = ${Number(has_personal_data)})
    RETURNING id, event, entry_id, data, created_at, attempts, ${entryOf(endpoint, now)} AS entry, ${letter} AS letter`);
  return rows.map(toDelivery).toSorted((a, b) => a.id - b.id);
}

/** Stores a test event that is already claimed. */
export async function claimTest(db: Db, { id }: Endpoint, now: number): Promise<ClaimedDelivery> {
  const [row] = await db.all<ClaimedRow>(sql`
    INSERT INTO webhook_deliveries (endpoint_id, event, created_at, attempts, next_attempt_at)
    VALUES (${id}, 'test', ${now}, 1, ${now + LEASE})
    RETURNING id, event, entry_id, data, created_at, attempts, NULL AS entry, NULL AS letter`);
  if (row === undefined) throw new Error("no test event was stored");
  return toDelivery(row);
}

/** The condition that a delivery of an endpoint waits and is due. Its index has them in this order. */
export function isDue(endpointId: number | SQL, now: number): SQL {
  return sql`endpoint_id = ${endpointId} AND delivered_at IS NULL AND dead_at IS NULL AND next_attempt_at <= ${now}`;
}

/** The condition that an endpoint is on, and that its receiver has not asked for a pause, which a wrong clock cannot make longer. */
export function isSendable(now: number): SQL {
  return sql`is_on AND paused_until NOT BETWEEN ${now + 1} AND ${now + MAX_RETRY_AFTER}`;
}

interface ClaimedRow {
  id: number;
  event: WebhookEvent;
  entry_id: number | null;
  data: string | null;
  created_at: number;
  attempts: number;
  entry: string | null;
  letter: string | null;
}

function toDelivery({ entry_id, data, created_at, entry, letter, ...row }: ClaimedRow): ClaimedDelivery {
  return {
    ...row,
    createdAt: created_at,
    entryId: entry_id,
    data: parse<Record<string, number>>(data),
    entry: parse<EventEntry>(entry),
    letter: parse<EventLetter>(letter),
  };
}

function parse<T>(json: string | null): T | null {
  return json === null ? null : JSON.parse(json);
}

/** The entry that a delivery is about, as JSON; its address and answers only if the owner wants the endpoint to get them. */
function entryOf({ has_personal_data }: Endpoint, now: number): SQL {
  const personal = has_personal_data ? sql`email, 'answers', json(answers)` : sql`NULL, 'answers', NULL`;
  return sql`(SELECT json_object('source', source, 'status', status, 'isSuppressed', ${isSuppressed(now)},
      'joined_at', waitlist_emails.created_at, 'confirm_by', confirm_by, 'confirmed_at', confirmed_at,
      'unsubscribe_reason', unsubscribe_reason, 'email', ${personal})
    FROM waitlist_emails WHERE waitlist_emails.id = webhook_deliveries.entry_id)`;
}

/** What became of the letter that a delivery is about, as JSON. Those who left the audience in time count as skipped. */
const letter = sql`(SELECT json_object('expected', expected, 'sent', count(iif(recipient.state = 'sent', 1, NULL)),
    'skipped', expected - count(iif(recipient.state <> 'skipped', 1, NULL)),
    'failed', count(iif(recipient.state = 'failed', 1, NULL)),
    'unknown', count(iif(recipient.state = 'unknown', 1, NULL)),
    'bounced', count(iif(bounced_softly, NULL, bounced_at)), 'bounced_softly', count(iif(bounced_softly, bounced_at, NULL)),
    'complained', count(complained_at), 'unsubscribed', count(unsubscribed_at))
  FROM letters LEFT JOIN letter_recipients AS recipient ON recipient.letter_id = letters.id
  WHERE letters.id = webhook_deliveries.data ->> 'letter_id' GROUP BY letters.id)`;

/**
 * The statement that gives up the first deliveries that have been due for {@link LONGEST_DUE}, if the receiver is still down:
 * it has accepted nothing in that time. Others wait for their turn.
 */
export function giveUpOld(db: Db, endpointId: number, { now, limit }: { now: number; limit: number }) {
  return db.run(sql`
    UPDATE webhook_deliveries SET dead_at = ${now}, reason = 'too-late'
    WHERE id IN (SELECT id FROM webhook_deliveries WHERE ${isDue(endpointId, now)} ORDER BY next_attempt_at LIMIT ${limit})
      AND max(created_at, next_attempt_at, coalesce((SELECT turned_on_at FROM webhook_endpoints WHERE id = ${endpointId}), 0))
        < ${now - LONGEST_DUE}
      AND NOT EXISTS (SELECT 1 FROM webhook_endpoints WHERE id = ${endpointId}
        AND last_delivered_at BETWEEN ${now - LONGEST_DUE} AND ${now})`);
}

/** The statement that ends deliveries whose last attempt was interrupted before its result was recorded. */
export function endInterrupted(db: Db, now: number) {
  return db.run(sql`
    UPDATE webhook_deliveries SET dead_at = ${now}, reason = 'interrupted'
    WHERE endpoint_id IN (SELECT id FROM webhook_endpoints) AND delivered_at IS NULL AND dead_at IS NULL
      AND next_attempt_at <= ${now} AND attempts >= ${MAX_ATTEMPTS}`);
}

/** Makes deliveries due that are scheduled too far ahead, which only a wrong clock can cause. */
export function mendDueTimes(db: Db, now: number) {
  return db.run(sql`
    UPDATE webhook_deliveries SET next_attempt_at = 0
    WHERE endpoint_id IN (SELECT id FROM webhook_endpoints) AND delivered_at IS NULL AND dead_at IS NULL
      AND next_attempt_at > ${now + LONGEST_WAIT}`);
}
