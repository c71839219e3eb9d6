import { sql } from "drizzle-orm";
import type { ClaimedDelivery } from "#app/owner/webhooks/claim-deliveries.server.ts";
import type { Endpoint } from "#app/owner/webhooks/endpoints.server.ts";
import { retryDelay } from "#app/owner/webhooks/retry-delays.ts";
import { webhookDeliveries, webhookEndpoints } from "#app/owner/webhooks/schema.server.ts";
import type { Outcome } from "#app/owner/webhooks/send.server.ts";
import type { Db } from "#app/server/db/client.server.ts";

export interface Result {
  delivery: ClaimedDelivery;
  outcome: Outcome;
}

/**
 * Records what became of claimed deliveries, in one statement. Those that another sender has claimed since are left to it.
 * A receiver that wants no more events turns its endpoint off, and its deliveries wait.
 */
export async function recordResults(db: Db, endpoint: Endpoint, results: Result[], now: number): Promise<void> {
  const values = JSON.stringify(results.map((result) => toRow(result, now)));
  const result = (name: string) => sql.raw(`result.value ->> '${name}'`);
  const { delivered_at, dead_at, next_attempt_at } = webhookDeliveries;
  const record = db
    .update(webhookDeliveries)
    .set({
      delivered_at: sql`${result("delivered")}`,
      dead_at: sql`${result("dead")}`,
      reason: sql`${result("reason")}`,
      next_attempt_at: sql`coalesce(${result("next")}, ${next_attempt_at})`,
    })
    .from(sql`json_each(${values}) AS result`)
    .where(
      sql`webhook_deliveries.id = ${result("id")} AND attempts = ${result("attempts")}
        AND ${delivered_at} IS NULL AND ${dead_at} IS NULL`,
    );
  if (results.every(({ outcome }) => outcome.kind !== "gone")) await record;
  else await db.batch([record, turnOffGone(db, endpoint)]);
}

/** Dead after the last attempt. A test is tried once. */
function toRow({ delivery: { id, attempts, event }, outcome }: Result, now: number) {
  if (outcome.kind === "accepted") return { id, attempts, delivered: now };
  const reason = outcome.kind === "gone" ? "status-410" : outcome.reason;
  const delay = event === "test" ? null : retryDelay(attempts, outcome.kind === "gone" ? 0 : outcome.retryAfter);
  return { id, attempts, reason, ...(delay === null ? { dead: now } : { next: now + delay }) };
}

/** The statement for a receiver that is gone, unless an owner has given the endpoint another URL since. */
function turnOffGone(db: Db, { id, url }: Endpoint) {
  return db
    .update(webhookEndpoints)
    .set({ is_on: false, off_reason: "gone" })
    .where(sql`${webhookEndpoints.id} = ${id} AND ${webhookEndpoints.url} = ${url} AND ${webhookEndpoints.is_on}`);
}
