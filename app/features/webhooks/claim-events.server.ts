import { type SQL, sql } from "drizzle-orm";
import type { Endpoint } from "#app/features/webhooks/endpoints.server.ts";
import type { EventContent, EventData } from "#app/features/webhooks/payload.server.ts";
import { ROUND_TIME } from "#app/features/webhooks/retry-delays.ts";
import { DB_TIMEOUT, type Db } from "#app/server/db/client.server.ts";
import { jobs } from "#app/server/db/schema/jobs.server.ts";
import { isSuppressed } from "#app/server/db/suppressions.server.ts";
import { claimJobs, type Job, nextJobs } from "#app/server/queue.server.ts";

/** An event that a run holds, with what it is about as that is now. */
export type ClaimedEvent = Job<EventData> & EventContent;

/** Claims the events of an endpoint that have been due longest. None if an owner has changed the endpoint since it was read. */
export async function claimEvents(db: Db, endpoint: Endpoint, { now, limit }: { now: number; limit: number }) {
  const { id, url, secret_number, has_personal_data } = endpoint;
  const isUnchanged = sql`EXISTS (SELECT 1 FROM webhook_endpoints WHERE id = ${id} AND ${isSendable(now)} AND url = ${url}
    AND secret_number = ${secret_number} AND has_personal_data = ${Number(has_personal_data)})`;
  const isChosen = sql`${jobs.id} IN (${nextJobs("webhook", id, { now, limit })}) AND ${isUnchanged}`;
  // They are claimed, sent and recorded in this time.
  const until = now + ROUND_TIME + 3 * DB_TIMEOUT;
  const claimed = await claimJobs(db, isChosen, until, { entry: entryOf(endpoint, now), letter });
  const parse = (json: unknown) => (typeof json === "string" ? JSON.parse(json) : null);
  const events = claimed.map((job) => ({ ...job, entry: parse(job.entry), letter: parse(job.letter) }) as ClaimedEvent);
  return events.toSorted((a, b) => a.id - b.id);
}

/** The condition that an endpoint is on, and that nothing is to wait for its receiver. */
export function isSendable(now: number): SQL {
  return sql`is_on AND paused_until <= ${now}`;
}

/** The entry that an event is about, as JSON; its address and answers only if the owner wants the endpoint to get them. */
function entryOf({ has_personal_data }: Endpoint, now: number): SQL {
  const personal = has_personal_data ? sql`email, 'answers', json(answers)` : sql`NULL, 'answers', NULL`;
  return sql`(SELECT json_object('source', source, 'status', status, 'isSuppressed', ${isSuppressed(now)},
      'joined_at', waitlist_emails.created_at, 'confirm_by', confirm_by, 'confirmed_at', confirmed_at,
      'unsubscribe_reason', unsubscribe_reason, 'email', ${personal})
    FROM waitlist_emails WHERE waitlist_emails.id = jobs.data ->> 'entry_id')`;
}

/** What became of the letter that an event is about, as JSON. Those who left the audience in time count as skipped. */
const letter = sql`(SELECT json_object('expected', expected, 'sent', count(iif(recipient.state = 'sent', 1, NULL)),
    'skipped', expected - count(iif(recipient.state <> 'skipped', 1, NULL)),
    'failed', count(iif(recipient.state = 'failed', 1, NULL)),
    'unknown', count(iif(recipient.state = 'unknown', 1, NULL)),
    'bounced', count(iif(bounced_softly, NULL, bounced_at)), 'bounced_softly', count(iif(bounced_softly, bounced_at, NULL)),
    'complained', count(complained_at), 'unsubscribed', count(unsubscribed_at))
  FROM letters LEFT JOIN letter_recipients AS recipient ON recipient.letter_id = letters.id
  WHERE letters.id = jobs.data ->> 'letter_id' GROUP BY letters.id)`;
