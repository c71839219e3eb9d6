import { utcDay } from "#app/server/calendar.ts";
import type { WorkersPlan } from "#app/server/plan-limits.ts";
import { withTimeout } from "#app/server/timeout.ts";

/**
 * D1 refuses every query until midnight UTC, because the Cloudflare account has read or written the rows that its day on
 * the free plan includes.
 */
export class DailyQuotaError extends Error {
  override name = "DailyQuotaError";
}

/**
 * Whether this error is D1's refusal. Documented as "Your account has exceeded D1's free tier daily row write limit.
 * Upgrade to a paid plan or wait until tomorrow (midnight UTC) to continue."; the wording may change.
 * https://developers.cloudflare.com/d1/observability/debug-d1/#error-list
 */
export function isRefusal(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return [/\bD1(?:\b|_)/, /exceed/i, /\bdaily\b|\bday\b|\bmidnight\b/i, /limit|quota/i].every((word) =>
    word.test(error.message),
  );
}

/** The {@link DailyQuotaError} that an error is, or was caused by; Drizzle wraps errors. */
export function findQuotaError(error: unknown): DailyQuotaError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof DailyQuotaError) return cause;
  }
  return null;
}

interface FlagDeps {
  cache: KVNamespace;
  /** A changed plan has a quota of its own. */
  workersPlan: WorkersPlan;
  now: () => number;
}

const FLAG = "d1-daily-quota";

/** Milliseconds. */
const FLAG_TIMEOUT = 500;

/** KV accepts no expiration that is less than 60 seconds away (here with some more). It may then be past midnight. */
const MIN_LIFETIME = 90_000;

/**
 * Whether a query has been refused today. Other locations may learn of it a minute late.
 *
 * @throws when KV fails
 */
export async function isQuotaFlagged(deps: FlagDeps): Promise<boolean> {
  return (await deps.cache.get(FLAG)) === flagValue(deps);
}

/** The same, but false when KV fails or is slow. */
export function seemsQuotaExceeded(deps: FlagDeps): Promise<boolean> {
  return withTimeout(isQuotaFlagged(deps), FLAG_TIMEOUT, "kv").catch(() => false);
}

/**
 * Remembers that a query has been refused today.
 *
 * @throws when KV fails
 */
export async function flagQuota(deps: FlagDeps): Promise<void> {
  const expiration = Math.ceil(Math.max(nextMidnight(deps.now()), deps.now() + MIN_LIFETIME) / 1_000);
  await deps.cache.put(FLAG, flagValue(deps), { expiration });
}

function flagValue({ workersPlan, now }: FlagDeps): string {
  return `${utcDay(now())} ${workersPlan}`;
}

/** Seconds until D1 accepts queries again. */
export function quotaRetryAfter(now: number): number {
  return Math.ceil((nextMidnight(now) - now) / 1_000);
}

/** When D1 accepts queries again, for people in any time zone. */
export function quotaEnd(now: number): string {
  const minutes = Math.ceil(quotaRetryAfter(now) / 60);
  const hours = Math.round(minutes / 60);
  const left = minutes < 60 ? count(minutes, "minute") : count(hours, "hour");
  return `after midnight UTC, in about ${left}`;
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? "" : "s"}`;
}

function nextMidnight(now: number): number {
  return new Date(now).setUTCHours(24, 0, 0, 0);
}
