import { sql } from "drizzle-orm";
import type { AppContext } from "#app/server/context.ts";
import { isQuotaFlagged } from "#app/server/db/daily-quota.server.ts";
import { findQuotaError } from "#app/server/db/daily-quota-error.ts";
import { logError, logWarning } from "#app/server/log.ts";
import { withTimeout } from "#app/server/time/timeout.ts";
import type { Millis } from "#app/server/time/units.ts";

/** `d1DailyQuota`: whether D1 has refused queries today. */
type HealthReport = { ok: boolean; checks: Record<"d1" | "kv" | "d1DailyQuota", "ok" | "failed"> };

/** Shorter than the timeouts of uptime monitors. */
const CHECK_TIMEOUT: Millis = 2_000;

/** Never throws: a failed check is logged. KV tells of refused writes, which no read would notice. */
export async function checkHealth(deps: Pick<AppContext, "db" | "cache" | "plan" | "now">): Promise<HealthReport> {
  const [d1, kv] = await Promise.all([
    // Queries a table, so that a Worker deployed ahead of its migrations is unhealthy.
    check("d1", async () => deps.db.run(sql`SELECT id FROM waitlist_emails LIMIT 1`)),
    check("kv", () => isQuotaFlagged(deps)),
  ]);
  const isRefused = findQuotaError(d1.error) !== null;
  const isFlagged = kv.value === true;
  if (isFlagged && !isRefused) logWarning("health-check-failed", { check: "d1DailyQuota" });
  return {
    ok: d1.result === "ok" && kv.result === "ok" && !isFlagged,
    checks: { d1: d1.result, kv: kv.result, d1DailyQuota: isFlagged || isRefused ? "failed" : "ok" },
  };
}

async function check<T>(name: string, read: () => Promise<T>) {
  try {
    return { result: "ok", value: await withTimeout(read(), CHECK_TIMEOUT, name) } as const;
  } catch (error) {
    logError("health-check-failed", error, { check: name });
    return { result: "failed", error } as const;
  }
}
