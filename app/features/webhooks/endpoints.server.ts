import { and, asc, desc, eq, getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import type { EventData } from "#app/features/webhooks/payload.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { jobs } from "#app/server/db/schema/jobs.server.ts";
import { type WebhookEvent, webhookEndpoints } from "#app/server/db/schema/webhooks.server.ts";
import { isWaiting } from "#app/server/queue.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

/* The SQL of endpoints, and of their events as owners see them. */

export type Endpoint = typeof webhookEndpoints.$inferSelect;

/** All of them are sent to side by side, and a Worker has six connections. `deliver.server.ts` needs one for each. */
export const MAX_ENDPOINTS = 5;

export interface EndpointChoice {
  url: string;
  events: WebhookEvent[];
  has_personal_data: boolean;
}

/** An endpoint with what has become of its events. Counts end at {@link MAX_COUNT}. */
export interface EndpointState extends Endpoint {
  waiting: number;
  failed: number;
}

/** Above this, pages say “more than”: each one counted is a row read whenever the overview is opened. */
export const MAX_COUNT = 1_000;

export function listEndpoints(db: Db): Promise<EndpointState[]> {
  return selectStates(db).orderBy(webhookEndpoints.id);
}

export async function findEndpoint(db: Db, id: number): Promise<EndpointState | null> {
  const [found] = await selectStates(db).where(eq(webhookEndpoints.id, id));
  return found ?? null;
}

function selectStates(db: Db) {
  return db
    .select({
      ...getTableColumns(webhookEndpoints),
      waiting: countUpTo("done_at IS NULL AND dead_at IS NULL"),
      failed: countUpTo("dead_at IS NOT NULL"),
    })
    .from(webhookEndpoints);
}

function countUpTo(condition: string) {
  return sql<number>`(SELECT count(*) FROM (SELECT 1 FROM jobs
    WHERE kind = 'webhook' AND subject = webhook_endpoints.id AND ${sql.raw(condition)} LIMIT ${MAX_COUNT + 1}))`;
}

/** @returns the id; null if there are {@link MAX_ENDPOINTS} already */
export async function addEndpoint(db: Db, { url, events, has_personal_data }: EndpointChoice, now: EpochMillis) {
  const [added] = await db.all<{ id: number }>(sql`
    INSERT INTO webhook_endpoints (url, events, has_personal_data, created_at)
    SELECT ${url}, ${JSON.stringify(events)}, ${Number(has_personal_data)}, ${now}
    WHERE (SELECT count(*) FROM webhook_endpoints) < ${MAX_ENDPOINTS} RETURNING id`);
  return added?.id ?? null;
}

/** @returns whether anything is different now */
export function changeEndpoint(db: Db, id: number, choice: EndpointChoice): Promise<boolean> {
  const { url, events, has_personal_data } = webhookEndpoints;
  const isOther = sql`(${url}, ${events}, ${has_personal_data})
    <> (${choice.url}, ${JSON.stringify(choice.events)}, ${Number(choice.has_personal_data)})`;
  return update(db, id, { ...choice, ...forgotten }, isOther);
}

/** @returns whether it was off, or on */
export function turnEndpoint(db: Db, id: number, isOn: boolean): Promise<boolean> {
  const change = isOn
    ? { is_on: true, off_reason: null, ...forgotten }
    : { is_on: false, off_reason: "owner" as const };
  return update(db, id, change, sql`${webhookEndpoints.is_on} = ${Number(!isOn)}`);
}

/** What a change forgets of the receiver: it may be another one, or well again. */
const forgotten = { paused_until: 0, failing_since: null };

/** Gives an endpoint a new signing secret, unless it has another one than the `current` by now. That one signs too for a day. */
export function replaceSecret(db: Db, id: number, current: number, now: EpochMillis): Promise<boolean> {
  const change = { secret_number: current + 1, rotated_at: now };
  return update(db, id, change, eq(webhookEndpoints.secret_number, current));
}

async function update(db: Db, id: number, change: object, condition = sql`true`): Promise<boolean> {
  const where = and(eq(webhookEndpoints.id, id), condition);
  const changed = await db.update(webhookEndpoints).set(change).where(where).returning({ id: webhookEndpoints.id });
  return changed.length > 0;
}

/** Its events are forgotten later, in small numbers. */
export async function deleteEndpoint(db: Db, id: number): Promise<boolean> {
  const { id: column } = webhookEndpoints;
  return (await db.delete(webhookEndpoints).where(eq(column, id)).returning({ id: column })).length > 0;
}

/** The condition of events of deleted endpoints, and of those due before a time that wait for an endpoint that is off. */
export function isUnwanted(before: EpochMillis): SQL {
  return sql`kind = 'webhook' AND (subject NOT IN (SELECT id FROM webhook_endpoints)
    OR (${isWaiting(jobs)} AND next_attempt_at < ${before}
      AND subject IN (SELECT id FROM webhook_endpoints WHERE NOT is_on)))`;
}

/** An event for an endpoint: a job with the endpoint as its subject. */
export interface Delivery extends Omit<typeof jobs.$inferSelect, "data"> {
  data: EventData;
}

function hasFailed(endpointId: number): SQL {
  return sql`${isOf(endpointId)} AND ${jobs.dead_at} IS NOT NULL`;
}

function isOf(endpointId: number): SQL {
  return sql`${jobs.kind} = 'webhook' AND ${jobs.subject} = ${endpointId}`;
}

export async function listWaiting(db: Db, endpointId: number, limit: number): Promise<Delivery[]> {
  const isNext = and(isOf(endpointId), isWaiting(jobs));
  return (await db.select().from(jobs).where(isNext).orderBy(asc(jobs.next_attempt_at)).limit(limit)) as Delivery[];
}

export type FailedCursor = Pick<Delivery, "id" | "dead_at">;

/** A page of an endpoint's failed events, those that failed last first: the ones after a cursor, or the first ones. */
export async function listFailed(
  db: Db,
  endpointId: number,
  { after, limit }: { after?: FailedCursor; limit: number },
) {
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
  since: EpochMillis;
  which: "failed" | "all";
  /** Only those that failed or were accepted before this, so that a further call leaves out what was sent again since. */
  endedBefore: EpochMillis;
  limit: number;
  now: EpochMillis;
}

/**
 * Queues events of an endpoint again, the oldest first, each under the id that its receiver knows. Those that wait stay as
 * they are.
 */
export async function sendAgain(db: Db, endpointId: number, { since, which, endedBefore, limit, now }: Again) {
  const { id, created_at } = jobs;
  const isEnded = which === "failed" ? hasFailed(endpointId) : isOf(endpointId);
  const isChosen = sql`${isEnded} AND coalesce(dead_at, done_at) <= ${endedBefore} AND ${created_at} >= ${since}`;
  return queueAgain(db, inArray(id, db.select({ id }).from(jobs).where(isChosen).orderBy(id).limit(limit)), now);
}

export async function sendOneAgain(db: Db, endpointId: number, id: number, now: EpochMillis): Promise<boolean> {
  return (await queueAgain(db, and(eq(jobs.id, id), hasFailed(endpointId)), now)) > 0;
}

async function queueAgain(db: Db, condition: SQL | undefined, now: EpochMillis): Promise<number> {
  const { meta } = await db
    .update(jobs)
    .set({ done_at: null, dead_at: null, reason: null, last_status: null, attempts: 0, next_attempt_at: now })
    .where(condition);
  return meta.changes;
}
