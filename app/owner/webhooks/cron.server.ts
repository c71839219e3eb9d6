import { sql } from "drizzle-orm";
import type { AppContext, CronRun } from "#app/context.ts";
import { giveUpOld, isDue, mendDueTimes } from "#app/owner/webhooks/claim-deliveries.server.ts";
import { deliverNext } from "#app/owner/webhooks/deliver.server.ts";
import { forgetDeliveries } from "#app/owner/webhooks/deliveries.server.ts";
import type { Endpoint } from "#app/owner/webhooks/endpoints.server.ts";
import { webhookEndpoints } from "#app/owner/webhooks/schema.server.ts";
import { TIMEOUT } from "#app/owner/webhooks/send.server.ts";
import { isMiddleRunOfHour } from "#app/server/calendar.ts";
import { DB_TIMEOUT } from "#app/server/db/client.server.ts";
import { logError, logInfo } from "#app/server/log.ts";
import type { WorkersPlan } from "#app/server/plan-limits.ts";

/** Requests at a time, for all endpoints together: a Worker has six connections. */
const MAX_CONNECTIONS = 6;

/** Finding the endpoints, and forgetting. */
const OTHER_STATEMENTS = 3;

/** What each round needs besides its requests: the claim, the results with a receiver that is gone, and what is given up. */
const ROUND_STATEMENTS = 4;

/** How many deliveries each run gives up of a receiver that stays down: each writes three rows. */
const MAX_GIVEN_UP: Record<WorkersPlan, number> = { free: 10, paid: 2_000 };

/**
 * Sends events that are due, to all endpoints side by side: each has its share of the run's requests, so that a slow one delays no
 * other.
 *
 * @throws if the events of an endpoint cannot be read or recorded, after those of the others
 */
export async function sendWebhooks(app: AppContext, run: CronRun): Promise<void> {
  const due = await endpointsWithDue(app);
  const share = Math.floor((run.subrequests - OTHER_STATEMENTS) / Math.max(due.length, 1));
  const width = Math.max(1, Math.floor(MAX_CONNECTIONS / Math.max(due.length, 1)));
  const results = await Promise.allSettled(
    due.map((endpoint) => sendDue(app, endpoint, { until: run.until, share, width })),
  );
  await forget(app, run);
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

function endpointsWithDue({ db, now }: AppContext): Promise<Endpoint[]> {
  const { id, is_on } = webhookEndpoints;
  const hasDue = sql`EXISTS (SELECT 1 FROM webhook_deliveries WHERE ${isDue(sql`webhook_endpoints.id`, now())})`;
  return db.select().from(webhookEndpoints).where(sql`${is_on} AND ${hasDue}`).orderBy(id);
}

interface Share {
  /** Milliseconds since 1970. */
  until: number;
  /** D1 statements and requests. */
  share: number;
  /** Requests at a time. */
  width: number;
}

/** Sends what is due to one endpoint, round by round, until its receiver is down or its share is used up. */
async function sendDue(app: AppContext, endpoint: Endpoint, { until, share, width }: Share): Promise<void> {
  const { db, now, workersPlan } = app;
  let left = share;
  let [accepted, failed, isDown] = [0, 0, false];
  const count = { endpointId: endpoint.id };
  try {
    while (!isDown && left > ROUND_STATEMENTS && now() + TIMEOUT + 2 * DB_TIMEOUT < until) {
      const limit = Math.min(width, left - ROUND_STATEMENTS);
      const round = await deliverNext(app, endpoint, limit);
      left -= round.accepted + round.failed + 2;
      accepted += round.accepted;
      failed += round.failed;
      isDown = round.isDown;
      if (round.accepted + round.failed < limit) break;
    }
    if (isDown) await giveUpOld(db, endpoint.id, { now: now(), limit: MAX_GIVEN_UP[workersPlan] });
  } catch (error) {
    logError("webhooks-failed", error, count);
    throw error;
  } finally {
    if (accepted + failed > 0) logInfo("webhooks-sent", { ...count, accepted, failed, isDown });
  }
}

/** Four times a day, since it reads the whole table. */
async function forget({ db, now, workersPlan }: AppContext, { startedAt }: CronRun): Promise<void> {
  if (!isMiddleRunOfHour(startedAt) || new Date(startedAt).getUTCHours() % 6 !== 0) return;
  await mendDueTimes(db, now());
  await forgetDeliveries(db, now(), workersPlan);
}
