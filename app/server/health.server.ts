import { sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { logError } from "#app/server/log.ts";
import { withTimeout } from "#app/server/timeout.ts";

export interface HealthDeps {
  db: Db;
  cache: KVNamespace;
}

export interface HealthReport {
  ok: boolean;
  checks: Record<"d1" | "kv", CheckResult>;
}

type CheckResult = "ok" | "failed";

/** Milliseconds: shorter than what monitors wait for an answer. */
const CHECK_TIMEOUT = 2_000;

/** Touches D1 and KV, both at once and without changing anything. Never throws; why a check failed is in the log. */
export async function checkHealth({ db, cache }: HealthDeps): Promise<HealthReport> {
  const [d1, kv] = await Promise.all([
    // The table, not only the database: a Worker that is ahead of its migrations is not well.
    check("d1", async () => db.run(sql`SELECT id FROM waitlist_emails LIMIT 1`)),
    check("kv", () => cache.get("healthcheck")),
  ]);
  return { ok: d1 === "ok" && kv === "ok", checks: { d1, kv } };
}

async function check(name: string, touch: () => Promise<unknown>): Promise<CheckResult> {
  try {
    await withTimeout(touch(), CHECK_TIMEOUT, name);
    return "ok";
  } catch (error) {
    logError("health-check-failed", error, { check: name });
    return "failed";
  }
}
