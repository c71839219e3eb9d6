import { type SQL, sql } from "drizzle-orm";
import type { ClaimedDelivery } from "#app/owner/webhooks/claim-deliveries.server.ts";
import type { Endpoint } from "#app/owner/webhooks/endpoints.server.ts";
import { MAX_RETRY_AFTER, retryDelay } from "#app/owner/webhooks/retry-delays.ts";
import type { Outcome } from "#app/owner/webhooks/send.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { webhookDeliveries, webhookEndpoints } from "#app/server/db/schema/webhooks.server.ts";

export interface Result {
  delivery: ClaimedDelivery;
  outcome: Outcome;
}

/**
 * Records what became of claimed deliveries, in one statement. Those that another sender has claimed since are left to it.
 * A receiver that wants no more events turns its endpoint off, and its deliveries wait. So do those of one that asks for a pause.
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
  const pause = Math.max(...results.map(({ outcome }) => (outcome.kind === "failed" ? outcome.retryAfter : 0)));
  if (results.some(({ outcome }) => outcome.kind === "gone")) await db.batch([record, turnOffGone(db, endpoint)]);
  else if (pause > 0) await db.batch([record, pauseEndpoint(db, endpoint, now + Math.min(pause, MAX_RETRY_AFTER))]);
  else await record;
}

/** Dead after the last attempt. A test is tried once. */
function toRow({ delivery: { id, attempts, event }, outcome }: Result, now: number) {
  if (outcome.kind === "accepted") return { id, attempts, delivered: now };
  const reason = outcome.kind === "gone" ? "status-410" : outcome.reason;
  const delay = event === "test" ? null : retryDelay(attempts, outcome.kind === "gone" ? 0 : outcome.retryAfter);
  return { id, attempts, reason, ...(delay === null ? { dead: now } : { next: now + delay }) };
}

/** The statement for a receiver that is gone. */
function turnOffGone(db: Db, endpoint: Endpoint) {
  return db.update(webhookEndpoints).set({ is_on: false, off_reason: "gone" }).where(isStillOn(endpoint));
}

function pauseEndpoint(db: Db, endpoint: Endpoint, until: number) {
  return db.update(webhookEndpoints).set({ paused_until: until }).where(isStillOn(endpoint));
}

/** The condition that an owner has neither turned the endpoint off nor given it another URL since. */
function isStillOn({ id, url }: Endpoint): SQL {
  return sql`${webhookEndpoints.id} = ${id} AND ${webhookEndpoints.url} = ${url} AND ${webhookEndpoints.is_on}`;
}
