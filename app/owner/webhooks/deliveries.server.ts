import { and, asc, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Endpoint } from "#app/owner/webhooks/endpoints.server.ts";
import type { EventContent, EventData, EventEntry, EventLetter } from "#app/owner/webhooks/payload.server.ts";
import { ROUND_TIME } from "#app/owner/webhooks/retry-delays.ts";
import { DB_TIMEOUT, type Db } from "#app/server/db/client.server.ts";
import { jobs } from "#app/server/db/schema/jobs.server.ts";
import { isSuppressed } from "#app/server/db/suppressions.server.ts";
import { claimJobs, isWaiting, type Job, nextJobs } from "#app/server/queue.server.ts";

/* Events on their way to endpoints: jobs, each with an endpoint as its subject. */

export interface Delivery extends Omit<typeof jobs.$inferSelect, "data"> {
  data: EventData;
}

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
  const events = claimed.map((job) => ({
    ...job,
    entry: parse(job.entry),
    letter: parse(job.letter),
  })) as ClaimedEvent[];
  return events.toSorted((a, b) => a.id - b.id);
}

function parse<T extends EventEntry | EventLetter>(json: unknown): T | null {
  return typeof json === "string" ? JSON.parse(json) : null;
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

/** The condition of an endpoint's events that have failed for good. */
function hasFailed(endpointId: number): SQL {
  return sql`${isOf(endpointId)} AND ${jobs.dead_at} IS NOT NULL`;
}

function isOf(endpointId: number): SQL {
  return sql`${jobs.kind} = 'webhook' AND ${jobs.subject} = ${endpointId}`;
}

/** An endpoint's next events. */
export async function listWaiting(db: Db, endpointId: number, limit: number): Promise<Delivery[]> {
  const isNext = and(isOf(endpointId), isWaiting(jobs));
  return (await db.select().from(jobs).where(isNext).orderBy(asc(jobs.next_attempt_at)).limit(limit)) as Delivery[];
}

/** A place in the list of failed events. */
export type FailedPlace = Pick<Delivery, "id" | "dead_at">;

/** A page of an endpoint's failed events, those that failed last first: the ones after a place, or the first ones. */
export async function listFailed(db: Db, endpointId: number, { after, limit }: { after?: FailedPlace; limit: number }) {
  const { id, dead_at } = jobs;
  const isAfter = after && sql`(${dead_at}, ${id}) < (${after.dead_at}, ${after.id})`;
  const found = (await db
    .select()
    .from(jobs)
    .where(and(hasFailed(endpointId), isAfter))
    .orderBy(desc(dead_at), desc(id))
    .limit(limit + 1)) as Delivery[];
  return { failed: found.slice(0, limit), hasOlder: found.length > limit };
}

interface Again {
  /** Milliseconds since 1970. */
  since: number;
  /** Only those that failed, or all that are stored. */
  which: "failed" | "all";
  /** Only those that failed or were accepted before this, so that a further call leaves out what was sent again since. */
  endedBefore: number;
  limit: number;
  now: number;
}

/**
 * Queues events of an endpoint again, the oldest first, each under the id that its receiver knows. Those that wait stay as
 * they are.
 *
 * @returns how many
 */
export async function sendAgain(db: Db, endpointId: number, { since, which, endedBefore, limit, now }: Again) {
  const { id, created_at } = jobs;
  const isEnded = which === "failed" ? hasFailed(endpointId) : isOf(endpointId);
  const isChosen = sql`${isEnded} AND coalesce(dead_at, done_at) <= ${endedBefore} AND ${created_at} >= ${since}`;
  return queueAgain(db, inArray(id, db.select({ id }).from(jobs).where(isChosen).orderBy(id).limit(limit)), now);
}

/** The same for one that has failed. */
export async function sendOneAgain(db: Db, endpointId: number, id: number, now: number): Promise<boolean> {
  return (await queueAgain(db, and(eq(jobs.id, id), hasFailed(endpointId)), now)) > 0;
}

async function queueAgain(db: Db, condition: SQL | undefined, now: number): Promise<number> {
  const { meta } = await db
    .update(jobs)
    .set({ done_at: null, dead_at: null, reason: null, last_status: null, attempts: 0, next_attempt_at: now })
    .where(condition);
  return meta.changes;
}
