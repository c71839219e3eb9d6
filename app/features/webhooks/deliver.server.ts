import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Endpoint } from "#app/features/webhooks/endpoints.server.ts";
import { type EventContent, type EventData, eventBody } from "#app/features/webhooks/payload.server.ts";
import { deliveryRetryDelay, MAX_DELIVERY_ATTEMPTS, receiverPause } from "#app/features/webhooks/retry-delays.ts";
import { type DeliveryOutcome, REQUEST_TIMEOUT, sendEvent } from "#app/features/webhooks/send.server.ts";
import { signatureHeaders } from "#app/features/webhooks/sign.server.ts";
import type { Config } from "#app/server/config/config.server.ts";
import type { PlanLimits } from "#app/server/config/plan-limits.ts";
import { DB_TIMEOUT, type Db } from "#app/server/db/client.server.ts";
import { jobs } from "#app/server/db/schema/jobs.server.ts";
import { webhookEndpoints } from "#app/server/db/schema/webhooks.server.ts";
import { isSuppressed } from "#app/server/db/suppressions.server.ts";
import { logError, logInfo } from "#app/server/log.ts";
import { claimJobs, isDue, type Job, nextJobs, type Result, recordResults } from "#app/server/queue.server.ts";
import { utcDay } from "#app/server/time/calendar.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";

/** The next run of the cron trigger starts two minutes later. */
const RUN_TIME: Millis = 110_000;

/** An event is given up once it has been due for this long and its receiver has accepted nothing. */
const LONGEST_DUE: Millis = 76 * 3_600_000;

/** Requests at a time, for all endpoints together: a Worker has six connections. */
const MAX_CONNECTIONS = 6;

/** Events that are claimed, sent and recorded together at most. */
const BATCH_SIZE = 12;

/** Of a batch, besides its requests: the claim, the results, what becomes of the endpoint, and giving up. */
const BATCH_STATEMENTS = 4;

/** For the requests of a batch, the last of which begin after one timeout. */
const BATCH_TIME: Millis = 2 * REQUEST_TIMEOUT;

interface WebhookDeps {
  db: Db;
  config: Pick<Config, "SITE_URL">;
  hashKey: string;
  plan: Pick<PlanLimits, "subrequests" | "webhookAttemptsADay" | "eventsGivenUpAtOnce">;
  now: () => EpochMillis;
}

/** What all endpoints of a run share. Each batch takes what it may need, and gives back what it did not. */
interface Budget {
  /** D1 statements and requests. */
  subrequests: number;
  /** Attempts that are left of the day. */
  attempts: number;
}

/**
 * The run of the second cron trigger: sends due events to all endpoints side by side. An endpoint that has accepted nothing
 * lately gets one event at a time, over one connection; the others share the remaining connections.
 *
 * @throws if the events of an endpoint cannot be read or recorded, after those of the others
 */
export async function sendWebhooks(deps: WebhookDeps): Promise<void> {
  const until = deps.now() + RUN_TIME;
  const endpoints = await endpointsWithDue(deps);
  const attemptsToday = endpoints[0]?.attemptsOfAll ?? 0;
  const budget = {
    subrequests: deps.plan.subrequests - 1,
    attempts: deps.plan.webhookAttemptsADay - attemptsToday,
  };
  const failing = endpoints.filter(({ failing_since }) => failing_since !== null).length;
  const rest = Math.floor((MAX_CONNECTIONS - failing) / Math.max(endpoints.length - failing, 1));
  // Of the first batch, which none of the others may use up.
  const share = Math.floor(budget.subrequests / Math.max(endpoints.length, 1));
  const options = { connections: rest, share, until };
  const sending = endpoints.map((endpoint) => sendTo(deps, endpoint, budget, options));
  const failed = (await Promise.allSettled(sending)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

function endpointsWithDue({ db, now }: WebhookDeps) {
  const isNext = sql`jobs.kind = 'webhook' AND jobs.subject = webhook_endpoints.id AND ${isDue(jobs, now())}`;
  const attemptsOfAll = sql<number>`(SELECT coalesce(sum(attempts_today), 0) FROM webhook_endpoints
    WHERE attempts_on = ${utcDay(now())})`;
  return db
    .select({ ...getTableColumns(webhookEndpoints), attemptsOfAll })
    .from(webhookEndpoints)
    .where(sql`${isSendable(now())} AND EXISTS (SELECT 1 FROM jobs WHERE ${isNext})`)
    .orderBy(webhookEndpoints.id);
}

/** Sends what is due to one endpoint, batch by batch, until its receiver accepts nothing or the budget is used up. */
async function sendTo(
  deps: WebhookDeps,
  found: Endpoint,
  budget: Budget,
  { connections, share, until }: { connections: number; share: number; until: EpochMillis },
): Promise<void> {
  const { db, now } = deps;
  const counts = { accepted: 0, failed: 0 };
  let endpoint = found;
  let most = Math.min(BATCH_SIZE, share - BATCH_STATEMENTS);
  try {
    for (;;) {
      const isFailing = endpoint.failing_since !== null;
      const limit = Math.min(isFailing ? 1 : most, budget.attempts, budget.subrequests - BATCH_STATEMENTS);
      if (limit < 1 || now() + BATCH_TIME + 3 * DB_TIMEOUT > until) break;
      budget.subrequests -= limit + BATCH_STATEMENTS;
      budget.attempts -= limit;
      const claimed = await claimEvents(db, endpoint, { now: now(), limit });
      const outcomes = await sendAll(deps, endpoint, claimed, connections);
      if (claimed.length > 0) await recordBatch(deps, endpoint, claimed, outcomes);
      const tried = outcomes.size;
      const accepted = outcomes.values().filter(isAccepted).toArray().length;
      budget.subrequests += limit - tried + (claimed.length === 0 ? 3 : accepted > 0 ? 1 : 0);
      budget.attempts += limit - tried;
      counts.accepted += accepted;
      counts.failed += tried - accepted;
      if (tried < limit || accepted === 0) break;
      endpoint = { ...endpoint, failing_since: null };
      most = BATCH_SIZE;
    }
  } catch (error) {
    logError("webhooks-failed", error, { endpointId: endpoint.id });
    throw error;
  } finally {
    if (counts.accepted + counts.failed > 0) logInfo("webhooks-sent", { endpointId: endpoint.id, ...counts });
  }
}

/** Sends claimed events. Once the receiver is down, or after {@link REQUEST_TIMEOUT}, the rest is left for another time. */
async function sendAll(deps: WebhookDeps, endpoint: Endpoint, claimed: ClaimedEvent[], connections: number) {
  const outcomes = new Map<ClaimedEvent, DeliveryOutcome>();
  const waiting = [...claimed];
  const until = deps.now() + REQUEST_TIMEOUT;
  const sendNext = async (): Promise<void> => {
    const event = deps.now() < until || outcomes.size === 0 ? waiting.shift() : undefined;
    if (event === undefined) return;
    const wasInterrupted = event.attempts > MAX_DELIVERY_ATTEMPTS;
    const outcome = wasInterrupted ? interrupted : await sendOne(deps, endpoint, messageId(event), eventBody(event));
    outcomes.set(event, outcome);
    if (outcome.isDown) waiting.length = 0;
    return sendNext();
  };
  await Promise.all(Array.from({ length: Math.max(connections, 1) }, sendNext));
  return outcomes;
}

function isAccepted({ reason }: DeliveryOutcome): boolean {
  return reason === null;
}

/** Of an event whose last attempt the platform ended. */
const interrupted: DeliveryOutcome = { reason: "interrupted", isDown: false, retryAfter: 0 };

/** The same for every attempt, and never another event's: ids of rows come back once the newest rows are deleted. */
function messageId({ id, created_at }: Job): string {
  return `msg_${created_at.toString(36)}_${id}`;
}

async function sendOne({ config, hashKey, now }: WebhookDeps, endpoint: Endpoint, id: string, body: string) {
  const message = { id, body, now: now() };
  const headers = await signatureHeaders(endpoint, hashKey, message);
  return sendEvent(endpoint.url, config.SITE_URL, { headers, body }, message.now);
}

/** Sends a test at once, also while the endpoint is off. It is tried once, and stored nowhere. */
export async function sendTestEvent(deps: WebhookDeps, endpoint: Endpoint, body: string): Promise<DeliveryOutcome> {
  const now = deps.now();
  const outcome = await sendOne(deps, endpoint, `msg_${now.toString(36)}_${crypto.randomUUID()}`, body);
  await noteOutcomes(deps.db, endpoint, [outcome], now);
  return outcome;
}

/** Records in one D1 batch the results, but for events that another run has claimed since, and what they say of the receiver. */
async function recordBatch(
  { db, plan, now: clock }: WebhookDeps,
  endpoint: Endpoint,
  claimed: ClaimedEvent[],
  outcomes: Map<ClaimedEvent, DeliveryOutcome>,
): Promise<void> {
  const now = clock();
  const results = claimed.map((event) => [event, resultOf(event, outcomes.get(event), now)] as const);
  const hasAccepted = outcomes.values().some(isAccepted);
  const tried = [...outcomes.values()].filter((outcome) => outcome !== interrupted);
  const isLate = !hasAccepted && now - (endpoint.failing_since ?? now) >= LONGEST_DUE;
  await db.batch([
    recordResults(db, results),
    noteOutcomes(db, endpoint, tried, now),
    ...(isLate ? [giveUpLate(db, endpoint.id, { now, limit: plan.eventsGivenUpAtOnce })] : []),
  ]);
}

/** An event that was not tried is as it was before. */
function resultOf({ attempts }: Job, outcome: DeliveryOutcome | undefined, now: EpochMillis): Result {
  if (outcome === undefined) return { attempts: attempts - 1, next_attempt_at: now };
  const { reason, status: last_status, retryAfter } = outcome;
  if (reason === null) return { done_at: now, last_status };
  const delay = deliveryRetryDelay(attempts, retryAfter);
  return { reason, last_status, ...(delay === null ? { dead_at: now } : { next_attempt_at: now + delay }) };
}

/** The statement that stores what outcomes say of a receiver, unless an owner has given the endpoint another URL since. */
function noteOutcomes(db: Db, { id, url, failing_since }: Endpoint, outcomes: DeliveryOutcome[], now: EpochMillis) {
  const { attempts_today, attempts_on, is_on } = webhookEndpoints;
  const today = utcDay(now);
  const hasAccepted = outcomes.some(isAccepted);
  const failingFor = hasAccepted ? 0 : now - (failing_since ?? now);
  const retryAfter = Math.max(0, ...outcomes.map((outcome) => outcome.retryAfter));
  const isGone = outcomes.some(({ status }) => status === 410);
  return db
    .update(webhookEndpoints)
    .set({
      attempts_today: sql`iif(${attempts_on} = ${today}, ${attempts_today}, 0) + ${outcomes.length}`,
      attempts_on: today,
      // As stored by now: an owner, or another run, may have changed it.
      failing_since: hasAccepted ? null : sql`coalesce(${webhookEndpoints.failing_since}, ${now})`,
      paused_until: now + receiverPause({ failingFor, retryAfter }),
      ...(hasAccepted ? { last_delivered_at: now } : {}),
      ...(isGone ? { is_on: false, off_reason: sql<"gone">`iif(${is_on}, 'gone', off_reason)` } : {}),
    })
    .where(and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.url, url), sql`${outcomes.length} > 0`));
}

/** The statement that gives up the first events that have been due for {@link LONGEST_DUE}. Later runs give up the others. */
function giveUpLate(db: Db, endpointId: number, { now, limit }: { now: EpochMillis; limit: number }) {
  const late = nextJobs("webhook", endpointId, { now: now - LONGEST_DUE, limit });
  return db.update(jobs).set({ dead_at: now, reason: "too-late" }).where(sql`${jobs.id} IN (${late})`);
}

/** An event that a run has claimed, with what it is about as that is now. */
type ClaimedEvent = Job<EventData> & EventContent;

/** Claims the events of an endpoint that have been due longest. None if an owner has changed the endpoint since it was read. */
async function claimEvents(db: Db, endpoint: Endpoint, { now, limit }: { now: EpochMillis; limit: number }) {
  const { id, url, secret_number, has_personal_data } = endpoint;
  const isUnchanged = sql`EXISTS (SELECT 1 FROM webhook_endpoints WHERE id = ${id} AND ${isSendable(now)} AND url = ${url}
    AND secret_number = ${secret_number} AND has_personal_data = ${Number(has_personal_data)})`;
  const isChosen = sql`${jobs.id} IN (${nextJobs("webhook", id, { now, limit })}) AND ${isUnchanged}`;
  // They are claimed, sent and recorded in this time.
  const until = now + BATCH_TIME + 3 * DB_TIMEOUT;
  const claimed = await claimJobs(db, isChosen, until, { entry: entryOf(endpoint, now), letter });
  const parse = (json: unknown) => (typeof json === "string" ? JSON.parse(json) : null);
  const events = claimed.map((job) => ({ ...job, entry: parse(job.entry), letter: parse(job.letter) }) as ClaimedEvent);
  return events.toSorted((a, b) => a.id - b.id);
}

/** The condition that an endpoint is on, and that nothing is to wait for its receiver. */
function isSendable(now: EpochMillis): SQL {
  return sql`is_on AND paused_until <= ${now}`;
}

/** The entry that an event is about, as JSON; its address and answers only if the owner wants the endpoint to get them. */
function entryOf({ has_personal_data }: Endpoint, now: EpochMillis): SQL {
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
