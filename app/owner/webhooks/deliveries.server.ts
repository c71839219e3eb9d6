import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { FAILED } from "#app/owner/webhooks/endpoints.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { webhookDeliveries } from "#app/server/db/schema/webhooks.server.ts";
import type { WorkersPlan } from "#app/server/plan-limits.ts";

export type Delivery = typeof webhookDeliveries.$inferSelect;

/** How many are sent again at once: each writes four rows, of 100,000 a day on the free plan. */
export const MAX_AGAIN: Record<WorkersPlan, number> = { free: 2_000, paid: 50_000 };

/** A place in the list of failed deliveries. */
export type FailedPlace = Pick<Delivery, "id" | "dead_at">;

/** A page of an endpoint's failed deliveries, those that failed last first: the ones after a place, or the first ones. */
export async function listFailed(db: Db, endpointId: number, { after, limit }: { after?: FailedPlace; limit: number }) {
  const { id, endpoint_id, dead_at } = webhookDeliveries;
  const isAfter = after && sql`(${dead_at}, ${id}) < (${after.dead_at}, ${after.id})`;
  const found = await db
    .select()
    .from(webhookDeliveries)
    .where(and(eq(endpoint_id, endpointId), sql.raw(FAILED), isAfter))
    .orderBy(desc(dead_at), desc(id))
    .limit(limit + 1);
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
 * Queues deliveries of an endpoint again, the oldest first, each under the id that its receiver knows. Those that wait stay as
 * they are.
 *
 * @returns how many
 */
export async function sendAgain(
  db: Db,
  endpointId: number,
  { since, which, endedBefore, limit, now }: Again,
): Promise<number> {
  const { id, created_at } = webhookDeliveries;
  const isEnded = sql.raw(which === "failed" ? FAILED : "event <> 'test'");
  const isEarlier = sql`coalesce(dead_at, delivered_at) <= ${endedBefore}`;
  const chosen = db
    .select({ id })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.endpoint_id, endpointId), isEnded, isEarlier, sql`${created_at} >= ${since}`))
    .orderBy(id)
    .limit(limit);
  return queueAgain(db, inArray(id, chosen), now);
}

/** The same for one that has failed. */
export async function sendOneAgain(db: Db, endpointId: number, deliveryId: number, now: number): Promise<boolean> {
  const { id, endpoint_id } = webhookDeliveries;
  const condition = sql`${id} = ${deliveryId} AND ${endpoint_id} = ${endpointId} AND ${sql.raw(FAILED)}`;
  return (await queueAgain(db, condition, now)) > 0;
}

async function queueAgain(db: Db, condition: SQL, now: number): Promise<number> {
  const { meta } = await db
    .update(webhookDeliveries)
    // Due from now on, not from when it happened: otherwise it would be given up at once.
    .set({ delivered_at: null, dead_at: null, reason: null, attempts: 0, next_attempt_at: now })
    .where(condition);
  return meta.changes;
}

/** How long deliveries stay (days). */
export const DELIVERED_RETENTION_DAYS = 7;
export const RETENTION_DAYS = 30;

/** Rows at a time. Deleting one writes two at most. */
const MAX_FORGOTTEN: Record<WorkersPlan, number> = { free: 1_500, paid: 50_000 };

/**
 * Deletes deliveries that were accepted 7 days ago, that failed or have waited for an endpoint that is off after 30, and those
 * of deleted endpoints. Reads the whole table.
 *
 * @returns how many
 */
export async function forgetDeliveries(db: Db, now: number, plan: WorkersPlan): Promise<number> {
  const before = (days: number) => now - days * 24 * 3_600_000;
  const { meta } = await db.run(sql`
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries
      WHERE delivered_at < ${before(DELIVERED_RETENTION_DAYS)} OR dead_at < ${before(RETENTION_DAYS)}
        OR (delivered_at IS NULL AND dead_at IS NULL AND max(created_at, next_attempt_at) < ${before(RETENTION_DAYS)}
          AND endpoint_id IN (SELECT id FROM webhook_endpoints WHERE NOT is_on))
        OR endpoint_id NOT IN (SELECT id FROM webhook_endpoints)
      LIMIT ${MAX_FORGOTTEN[plan]})`);
  return meta.changes;
}
