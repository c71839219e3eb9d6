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

/** Milliseconds; shorter than the timeouts of uptime monitors. */
const CHECK_TIMEOUT = 2_000;

/** Reads from D1 and KV in parallel. Never throws: a failed check is logged. */
export async function checkHealth({ db, cache }: HealthDeps): Promise<HealthReport> {
  const [d1, kv] = await Promise.all([
    // Queries a table, so that a Worker deployed ahead of its migrations is unhealthy.
    check("d1", async () => db.run(sql`SELECT id FROM waitlist_emails LIMIT 1`)),
    check("kv", () => cache.get("healthcheck")),
  ]);
  return { ok: d1 === "ok" && kv === "ok", checks: { d1, kv } };
}

async function check(name: string, read: () => Promise<unknown>): Promise<CheckResult> {
  try {
    await withTimeout(read(), CHECK_TIMEOUT, name);
    return "ok";
  } catch (error) {
    logError("health-check-failed", error, { check: name });
    return "failed";
  }
}
