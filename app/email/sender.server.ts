import { and, eq, isNotNull, or, sql } from "drizzle-orm";
import {
  type AttemptResult,
  attemptBatch,
  attemptSend,
  type Batch,
  type BatchResult,
  MAX_WAIT,
  release,
  releaseBatch,
} from "#app/email/attempt.server.ts";
import { recordWaiting } from "#app/email/backlog.server.ts";
import {
  createPacer,
  OTHER_SUBREQUESTS,
  type Pacer,
  SINGLES,
  SINGLES_STATEMENTS,
  unverifiedPerHour,
} from "#app/email/limits.ts";
import { ownersWanting, queueNotifications } from "#app/email/notifications.server.ts";
import {
  type ClaimedEmail,
  type ClaimOptions,
  claimDue,
  giveUpExhausted,
  isAnyDue,
  type Only,
  recordReason,
} from "#app/email/outbox.server.ts";
import {
  type EmailPause,
  endPastPauses,
  type Pause,
  pauseAll,
  pauseUnverifiedIfTooMany,
  retryNow,
} from "#app/email/pauses.server.ts";
import { checkSuppression, suppressRefused } from "#app/email/suppression.server.ts";
import type { AppContext } from "#app/server/context.ts";
import type { CronRun } from "#app/server/cron.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";
import { type LogFields, logError, logInfo, logWarning } from "#app/server/log.ts";
import type { Mailer } from "#app/server/mailer.server.ts";
import { identifyOwners } from "#app/server/owners.server.ts";
import { isClaimedByResult, recorded, resultOf, toRecord } from "#app/server/queue.server.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";

export type DeliveryDeps = Pick<AppContext, "db" | "emailsPerHour" | "emailContext" | "turnstile" | "now" | "wait"> & {
  /** Null while no sender is configured: emails wait. */
  mailer: Mailer | null;
};

/** No batch is sent after `until`. */
export type SenderRun = Pick<CronRun, "subrequests" | "until">;

/** Batches that were claimed together, and whose recipients were checked. */
export interface BatchGroup {
  batches: Batch[];
  /** Idempotent. `results`: in the order of the batches; `pause`: why no further ones of their kind should be sent. */
  record(results: BatchResult[], pause: Pause | null): Promise<void>;
}

type SenderReport = Record<"sent" | "failed" | "dead", number>;

/** The platform allows six open connections per invocation. */
const CONCURRENT_SENDS = 5;

/**
 * Sends one queued email now, if it is due; if that fails, the runs of the cron job retry it. Idempotent: a second call finds
 * nothing.
 *
 * @param despitePause whether it is tried even while all email is paused. Its success ends the pause.
 * @returns `failed` when an attempt was made and failed; otherwise `done`, whether or not the address is listed
 */
export async function sendEmail(
  deps: DeliveryDeps,
  only: Only,
  { despitePause = false } = {},
): Promise<"done" | "failed"> {
  const { db, now } = deps;
  // Anyone can ask for the email of any address.
  if (!(await isAnyDue(db, now(), only))) return "done";
  const { results, wasPaused } = await sendSome(deps, { limit: 1, only, despitePause });
  if (wasPaused && results[0]?.state === "sent") await retryNow(db, now());
  if (hasBounce(results)) await pauseUnverifiedIfTooMany(db, now());
  if (results[0] !== undefined) return results[0].state === "sent" ? "done" : "failed";
  // The next run notifies the owner, so that no visitor waits for that.
  if (deps.mailer !== null && (await recordWaiting(db, { now: now(), perHour: deps.emailsPerHour, only })).limit > 0) {
    logInfo("email-waits", { reason: "MAIL_PER_HOUR" });
  }
  return "done";
}

/** The same after the response. */
export function sendEmailLater(app: DeliveryDeps & Pick<AppContext, "waitUntil">, only: Only): void {
  app.waitUntil(sendEmail(app, only).catch((error) => logError("welcome-failed", error)));
}

/**
 * Sends single emails that are due, then a group of batches, then single ones again, and so on: a sign-in link or a welcome
 * does not wait for a letter. What the run cannot do, the next one does.
 *
 * @param groups what is sent in batches; the next ones are claimed when they are asked for
 */
export async function sendDueEmails(
  deps: DeliveryDeps,
  run: SenderRun,
  groups?: AsyncIterable<BatchGroup>,
): Promise<SenderReport> {
  const { db, mailer, now } = deps;
  const report = { sent: 0, failed: 0, dead: await giveUpExhausted(db, now()) };
  if (mailer === null) {
    await recordReason(db, "no-sender", now());
    logWarning("email-backlog", { reason: "MAIL_FROM is not set" });
    // Letters pause, and say why: none hands over a batch.
    for await (const _ of groups ?? []) break;
    return report;
  }
  let bounced = await sendSingles(deps, run, report, { servesSmallNetworks: true });
  if (groups !== undefined) {
    const pacer = createPacer(now, deps.wait ?? wait);
    for await (const group of groups) {
      const goesOn = await sendGroup({ ...deps, mailer }, group, run, pacer);
      bounced = (await sendSingles(deps, run, report)) || bounced;
      if (!goesOn) break;
    }
  }
  if (bounced) await pauseUnverifiedIfTooMany(db, now());
  await notifyIfWaiting(deps);
  logInfo("emails-run", { ...report });
  return report;
}

async function sendSingles(
  deps: DeliveryDeps,
  run: SenderRun,
  report: SenderReport,
  { servesSmallNetworks = false } = {},
): Promise<boolean> {
  let size = SINGLES;
  let bounced = false;
  const left = () => run.subrequests - OTHER_SUBREQUESTS - SINGLES_STATEMENTS;
  for (let isFirst = true; left() > 0; isFirst = false) {
    const limit = Math.min(size, left());
    const { results, released, nextRequestAt } = await sendSome(deps, {
      limit,
      servesSmallNetworks: servesSmallNetworks && isFirst,
    });
    if (results.length === 0) break;
    for (const { state } of results) report[state === "waiting" ? "failed" : state] += 1;
    report.failed -= released;
    bounced ||= hasBounce(results);
    const delay = nextRequestAt - deps.now();
    if (delay > MAX_WAIT) break;
    if (delay <= 0) continue;
    // What fitted into this window fits into the next.
    size = Math.max(1, results.filter(({ state }) => state === "sent").length);
    await (deps.wait ?? wait)(delay);
  }
  return bounced;
}

/** Whether the provider refused an address at once. Later bounces arrive as events. */
function hasBounce(results: AttemptResult[]): boolean {
  return results.some((result) => result.state === "dead" && result.reason === "address-refused");
}

function wait(delay: Millis): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delay));
}

async function notifyIfWaiting(deps: DeliveryDeps): Promise<void> {
  const { db, emailsPerHour: perHour, now } = deps;
  const { limit, unverified } = await recordWaiting(db, { now: now(), perHour });
  const waiting = limit + unverified;
  if (waiting === 0) return;
  logWarning("email-backlog", { reason: limit > 0 ? "MAIL_PER_HOUR" : "unverified-limit", perHour, emails: waiting });
  // Where Turnstile is configured, few sign-ups are unverified, and an outage ends by itself.
  if (limit === 0 && deps.turnstile !== null) return;
  const owners = await ownersWanting("alert", deps.emailContext);
  const data = { perHour, waiting, ...(limit === 0 ? { unverifiedPerHour: unverifiedPerHour(perHour) } : {}) };
  const notifications = owners.map((ownerId) => ({ ownerId, data, periodEnd: now() }));
  const queued = await queueNotifications(db, "send-limit", notifications, now());
  // The limit is reached, so this batch holds emails to owners only. The next run sends those to further owners.
  if (queued > 0) await sendSome(deps, { limit: 1 });
}

interface Sent {
  /** One for each claimed email. */
  results: AttemptResult[];
  /** How many emails are due again, because a pause began before they were tried. */
  released: number;
  /** When the provider takes requests again, or all email is no longer paused. */
  nextRequestAt: EpochMillis;
  /** Whether all email was paused until then. */
  wasPaused: boolean;
}

async function sendSome(
  deps: DeliveryDeps,
  options: Pick<ClaimOptions, "limit" | "servesSmallNetworks" | "despitePause"> & { only?: Only },
): Promise<Sent> {
  const { db, emailsPerHour: perHour, emailContext, now } = deps;
  if (deps.mailer === null) return nothing;
  const { ownerEmails, formerOwnerEmails = [] } = emailContext;
  const idsOf = async (emails: readonly string[]) => (await identifyOwners(emails)).map(({ id }) => id);
  // An entry's own email needs no owner's.
  const owners = await idsOf(options.only !== undefined && "email" in options.only ? [] : ownerEmails);
  const formerOwners = await idsOf(options.only === undefined ? formerOwnerEmails : []);
  const claims = await claimDue(db, { now: now(), perHour, owners, formerOwners, ...options });
  return claims.length === 0 ? nothing : sendClaimed({ ...deps, mailer: deps.mailer }, claims);
}

const nothing: Sent = { results: [], released: 0, nextRequestAt: 0, wasPaused: false };

/** Sends what was claimed, and records what became of it. */
export async function sendClaimed(
  deps: Pick<DeliveryDeps, "db" | "emailContext" | "now"> & { mailer: Mailer },
  claims: ClaimedEmail[],
): Promise<Sent> {
  const { db, mailer, emailContext, now } = deps;
  const sent = { ...nothing };
  let pause: EmailPause | null = null;
  const suppressed = await checkSuppression(deps, claims);
  const attempted: AttemptResult[] = [];
  const queue = claims.filter(({ id }) => !suppressed.some((result) => result.id === id)).values();
  const send = async () => {
    for (const claim of queue) {
      if (sent.nextRequestAt > now()) {
        sent.released += 1;
        attempted.push(release(claim));
        continue;
      }
      const attempt = await attemptSend({ mailer, emailContext, now }, claim);
      attempted.push(attempt.result);
      sent.nextRequestAt = Math.max(sent.nextRequestAt, attempt.nextRequestAt);
      if (attempt.pause !== null && attempt.pause.until > (pause?.until ?? 0)) pause = attempt.pause;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_SENDS }, send));
  if (pause !== null) logWarning("email-paused", { ...(pause as EmailPause) });
  sent.results = [...suppressed, ...(await suppressRefused(deps, claims, attempted))];
  sent.wasPaused = claims.some(({ wasPaused }) => wasPaused);
  const endsPause = sent.wasPaused && attempted.some(({ state }) => state === "sent");
  const record = () => recordAttempts(db, claims, sent.results, now(), { begins: pause, endsPause });
  await recordWithRetry(record, "record-results-failed", { emails: sent.results.length });
  return sent;
}

/** Records results, and retries once: a lost write would send emails twice. D1 does not retry writes itself. */
async function recordWithRetry(record: () => Promise<void>, failure: string, fields: LogFields): Promise<void> {
  try {
    await record();
  } catch (error) {
    logError(failure, error, fields);
    await record();
  }
}

/** Idempotent. Records an acceptance in any case, everything else only for the sender that holds the lease. */
export async function recordAttempts(
  db: Db,
  claims: ClaimedEmail[],
  results: AttemptResult[],
  now: EpochMillis,
  { begins = null, endsPause = false }: { begins?: EmailPause | null; endsPause?: boolean } = {},
): Promise<void> {
  const rows = results.flatMap((result) => {
    const claim = claims.find(({ id }) => id === result.id);
    return claim === undefined ? [] : [{ id: claim.id, ...toRecord(claim, toRow(claim, result, now)) }];
  });
  const record = db
    .update(emailOutbox)
    .set({
      ...recorded(emailOutbox),
      first_attempt_at: resultOf("first_attempt_at"),
      // Answers that were stored for greetings are not needed again.
      data: sql`iif(${resultOf("done_at")} IS NOT NULL AND data ->> '$.answers' IS NOT NULL, json_remove(data, '$.answers'), data)`,
    })
    .from(sql`json_each(${JSON.stringify(rows)}) AS result`)
    .where(and(eq(emailOutbox.id, resultOf("id")), or(isNotNull(resultOf("done_at")), isClaimedByResult(emailOutbox))));
  await db.batch([
    record,
    ...(endsPause ? [endPastPauses(db, now)] : []),
    ...(begins === null ? [] : [pauseAll(db, begins, now)]),
  ]);
}

function toRow({ firstAttemptAt }: ClaimedEmail, result: AttemptResult, now: EpochMillis): object {
  if (result.state === "sent") return { done_at: now, next_attempt_at: now, first_attempt_at: firstAttemptAt };
  const { reason } = result;
  if (result.state === "dead") {
    return { dead_at: now, next_attempt_at: result.nextAttemptAt ?? now, first_attempt_at: firstAttemptAt, reason };
  }
  const { nextAttemptAt, attempts, firstAttemptAt: first } = result;
  return { next_attempt_at: nextAttemptAt, attempts, first_attempt_at: first, reason };
}

async function sendGroup(
  deps: DeliveryDeps & { mailer: Mailer },
  { batches, record }: BatchGroup,
  run: SenderRun,
  pacer: Pacer,
): Promise<boolean> {
  const { now } = deps;
  let stopped = false;
  let pause: Pause | null = null;
  const results = await Promise.all(
    batches.map(async (batch): Promise<BatchResult> => {
      await pacer.next();
      if (stopped || now() >= run.until) return releaseBatch(batch, now());
      const attempt = await attemptBatch(deps, batch);
      pause ??= attempt.pause;
      if (attempt.outcome?.state === "sent") pacer.observe(attempt.outcome.rateLimit);
      if (attempt.delay === null) stopped = true;
      else if (attempt.outcome !== null && attempt.outcome.state !== "sent") pacer.delay(attempt.delay);
      return attempt.result;
    }),
  );
  await recordWithRetry(() => record(results, pause), "record-batches-failed", { batches: batches.length });
  // Others of a kind that has paused itself are not affected.
  return !stopped || pause !== null;
}
