import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { ChosenEvent } from "#app/owner/webhooks/events.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { webhookEndpoints } from "#app/server/db/schema/webhooks.server.ts";

export type Endpoint = typeof webhookEndpoints.$inferSelect;

/** All of them are sent to side by side, and a Worker has six connections. `deliver.server.ts` needs one for each. */
export const MAX_ENDPOINTS = 5;

/** What an owner says of an endpoint. */
export interface EndpointChoice {
  url: string;
  events: ChosenEvent[];
  has_personal_data: boolean;
}

/** An endpoint with what has become of its events. Counts end at {@link MAX_COUNT}. */
export interface EndpointState extends Endpoint {
  waiting: number;
  failed: number;
}

/** Above this, pages say “more than”: each one counted is a row read whenever the overview is opened. */
export const MAX_COUNT = 1_000;

/** The endpoints that an owner has, oldest first. */
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
export async function addEndpoint(db: Db, { url, events, has_personal_data }: EndpointChoice, now: number) {
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
export function replaceSecret(db: Db, id: number, current: number, now: number): Promise<boolean> {
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
