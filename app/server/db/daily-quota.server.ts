import type { PlanLimits } from "#app/server/config/plan-limits.ts";
import type { AppContext } from "#app/server/context.ts";
import { DailyQuotaError } from "#app/server/db/daily-quota-error.ts";
import { utcDay } from "#app/server/time/calendar.ts";
import { withTimeout } from "#app/server/time/timeout.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";

type FlagDeps = Pick<AppContext, "cache" | "now"> & { plan: Pick<PlanLimits, "rowsWritten"> };

const FLAG = "d1-daily-quota";

const FLAG_TIMEOUT: Millis = 500;

/** Other locations may learn of a refusal a minute late. @throws when KV fails */
export async function isQuotaFlagged(deps: FlagDeps): Promise<boolean> {
  return (await deps.cache.get(FLAG)) === flagValue(deps);
}

/** The same, but false when KV fails or is slow. */
export function seemsQuotaExceeded(deps: FlagDeps): Promise<boolean> {
  return withTimeout(isQuotaFlagged(deps), FLAG_TIMEOUT, "kv").catch(() => false);
}

/** For requests whose work follows the response. @throws `DailyQuotaError` if a query has been refused today */
export async function requireQuota(deps: FlagDeps): Promise<void> {
  if (await seemsQuotaExceeded(deps)) throw new DailyQuotaError("a query was refused earlier today");
}

/** @throws when KV fails */
export async function flagQuota(deps: FlagDeps): Promise<void> {
  await deps.cache.put(FLAG, flagValue(deps), { expirationTtl: 24 * 60 * 60 });
}

/** A changed plan has a quota of its own. */
function flagValue({ plan, now }: FlagDeps): string {
  return `${utcDay(now())} ${plan.rowsWritten}`;
}

export function quotaMessage(now: EpochMillis): string {
  return `Our database takes no more requests today. Nothing has changed, and nothing is lost. Please try again ${quotaEnd(now)}.`;
}

/** Seconds until D1 accepts queries again. */
export function quotaRetryAfter(now: EpochMillis): number {
  return Math.ceil((new Date(now).setUTCHours(24, 0, 0, 0) - now) / 1_000);
}

/** When D1 accepts queries again, for people in any time zone. */
export function quotaEnd(now: EpochMillis): string {
  const minutes = Math.ceil(quotaRetryAfter(now) / 60);
  const hours = Math.round(minutes / 60);
  const left = minutes < 60 ? count(minutes, "minute") : count(hours, "hour");
  return `after midnight UTC, in about ${left}`;
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? "" : "s"}`;
}
