import { eq, getTableColumns, sql } from "drizzle-orm";
import type { AppContext, CronRun } from "#app/context.ts";
import {
  endInterrupted,
  giveUpOld,
  isDue,
  isSendable,
  mendDueTimes,
} from "#app/owner/webhooks/claim-deliveries.server.ts";
import { deliverNext } from "#app/owner/webhooks/deliver.server.ts";
import { forgetDeliveries } from "#app/owner/webhooks/deliveries.server.ts";
import type { Endpoint } from "#app/owner/webhooks/endpoints.server.ts";
import { TIMEOUT } from "#app/owner/webhooks/send.server.ts";
import { isMiddleRunOfHour, utcDay } from "#app/server/calendar.ts";
import { DB_TIMEOUT } from "#app/server/db/client.server.ts";
import { webhookEndpoints } from "#app/server/db/schema/webhooks.server.ts";
import { logError, logInfo } from "#app/server/log.ts";
import type { WorkersPlan } from "#app/server/plan-limits.ts";

/** Requests at a time, for all endpoints together: a Worker has six connections. */
const MAX_CONNECTIONS = 6;

/** Of a run, besides those of its rounds: finding the endpoints, and three that tidy up. */
const OTHER_STATEMENTS = 4;

/** What a round needs besides its requests: the claim and the results, which may turn the endpoint off; and two at the end. */
const ROUND_STATEMENTS = 5;

/**
 * How many rows sending webhooks may write a day (UTC), so that sign-ups have room in the 100,000 of the free plan: 4,000
 * attempts. Each event writes two more when it happens.
 */
export const maxWebhookWrites: Record<WorkersPlan, number> = { free: 20_000, paid: Number.MAX_SAFE_INTEGER };

/** Rows that an attempt writes at most, with those of its claim. */
const ATTEMPT_ROWS = 5;

/** Rows that giving up a delivery writes. */
const GIVEN_UP_ROWS = 3;

/** How many deliveries to a receiver that stays down each run gives up. */
const MAX_GIVEN_UP: Record<WorkersPlan, number> = { free: 10, paid: 2_000 };

/**
 * Sends events that are due, to all endpoints in parallel. Each has its share of the run's requests, so that a slow one
 * delays no other.
 *
 * @throws if the events of an endpoint cannot be read or recorded, after those of the others
 */
export async function sendWebhooks(app: AppContext, run: CronRun): Promise<void> {
  const due = await endpointsWithDue(app);
  const [{ writtenToday } = { writtenToday: 0 }] = due;
  const rows = Math.floor((maxWebhookWrites[app.workersPlan] - writtenToday) / Math.max(due.length, 1));
  const share = Math.floor((run.subrequests - OTHER_STATEMENTS) / Math.max(due.length, 1));
  const width = Math.max(1, Math.floor(MAX_CONNECTIONS / Math.max(due.length, 1)));
  const results = await Promise.allSettled(
    due.map((endpoint) => sendDue(app, endpoint, { until: run.until, share, width, rows })),
  );
  await forget(app, run);
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** The endpoints with something due, and how many rows all of them have written today. */
function endpointsWithDue({ db, now }: AppContext) {
  const { id } = webhookEndpoints;
  const hasDue = sql`EXISTS (SELECT 1 FROM webhook_deliveries WHERE ${isDue(sql`webhook_endpoints.id`, now())})`;
  const writtenToday = sql<number>`(SELECT coalesce(sum(rows_written), 0) FROM webhook_endpoints
    WHERE written_on = ${utcDay(now())})`;
  return db
    .select({ ...getTableColumns(webhookEndpoints), writtenToday })
    .from(webhookEndpoints)
    .where(sql`${isSendable(now())} AND ${hasDue}`)
    .orderBy(id);
}

interface Share {
  /** Milliseconds since 1970. */
  until: number;
  /** D1 statements and requests. */
  share: number;
  /** Requests at a time. */
  width: number;
  /** Rows that may be written. A round that has begun is finished. */
  rows: number;
}

/** Sends what is due to one endpoint, round by round, until its receiver is down or its share is used up. */
async function sendDue(app: AppContext, endpoint: Endpoint, { until, share, width, rows }: Share): Promise<void> {
  const { db, now, workersPlan } = app;
  let left = share;
  let [accepted, failed, givenUp, isDown, isGone] = [0, 0, 0, false, false];
  const count = { endpointId: endpoint.id };
  try {
    while (
      !isDown &&
      left > ROUND_STATEMENTS &&
      (accepted + failed) * ATTEMPT_ROWS < rows &&
      now() + TIMEOUT + 2 * DB_TIMEOUT < until
    ) {
      const limit = Math.min(width, left - ROUND_STATEMENTS);
      const round = await deliverNext(app, endpoint, limit);
      left -= round.accepted + round.failed + 2;
      accepted += round.accepted;
      failed += round.failed;
      ({ isDown, isGone } = round);
      if (round.accepted + round.failed < limit) break;
    }
    // A receiver that has accepted something is not down. Events for one that is gone wait until its endpoint is turned on.
    if (isDown && !isGone && accepted === 0) {
      const { meta } = await giveUpOld(db, endpoint.id, { now: now(), limit: MAX_GIVEN_UP[workersPlan] });
      givenUp = meta.changes;
    }
  } catch (error) {
    logError("webhooks-failed", error, count);
    throw error;
  } finally {
    const rows = (accepted + failed) * ATTEMPT_ROWS + givenUp * GIVEN_UP_ROWS;
    if (rows > 0) await noteRun(app, endpoint, { rows, hasAccepted: accepted > 0 });
    if (accepted + failed > 0) logInfo("webhooks-sent", { ...count, accepted, failed, isDown });
  }
}

/** The counter itself is one row more. */
async function noteRun({ db, now }: AppContext, { id }: Endpoint, run: { rows: number; hasAccepted: boolean }) {
  const { rows_written, written_on } = webhookEndpoints;
  const today = utcDay(now());
  await db
    .update(webhookEndpoints)
    .set({
      rows_written: sql`iif(${written_on} = ${today}, ${rows_written}, 0) + ${run.rows + 1}`,
      written_on: today,
      ...(run.hasAccepted ? { last_delivered_at: now() } : {}),
    })
    .where(eq(webhookEndpoints.id, id));
}

/** Four times a day, since it reads the whole table. */
async function forget({ db, now, workersPlan }: AppContext, { startedAt }: CronRun): Promise<void> {
  if (!isMiddleRunOfHour(startedAt) || new Date(startedAt).getUTCHours() % 6 !== 0) return;
  await mendDueTimes(db, now());
  await endInterrupted(db, now());
  await forgetDeliveries(db, now(), workersPlan);
}
