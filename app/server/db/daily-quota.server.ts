import { utcDay } from "#app/server/calendar.ts";
import type { WorkersPlan } from "#app/server/plan-limits.ts";
import { withTimeout } from "#app/server/timeout.ts";

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
