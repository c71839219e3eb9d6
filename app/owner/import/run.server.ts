import { claimRows, recordFailure } from "#app/owner/import/attempts.server.ts";
import type { ImportDeps } from "#app/owner/import/import-rows.server.ts";
import type { Import } from "#app/owner/import/imports.server.ts";
import { logError, logWarning } from "#app/server/log.ts";
import type { WorkersPlan } from "#app/server/plan-limits.ts";

interface Budget {
  /** How many D1 statements may be executed, besides the one that records a failure. */
  maxStatements: number;
  /** No further attempt is begun after this time (milliseconds since 1970). */
  until: number;
  /** How many rows are imported together. */
  rows: number;
}

/** Statements of an attempt: claim the rows, insert the entries, queue their emails, advance, delete the chunk. */
export const ATTEMPT_STATEMENTS = 5;

const FAILURE_STATEMENTS = 1;

/**
 * Rows that are imported together. On the free plan an invocation has 10 ms of CPU time and imports no more than these:
 * in workerd on a slow machine, with a stub for D1, an idle run of the cron job took 4.6 ms, one with 50 rows 8.9 ms, with
 * 100 rows 11.3 ms and with 1,000 rows 30 ms. On the paid plan it has 30 s, and a chunk holds no more.
 * https://developers.cloudflare.com/workers/platform/limits/#cpu-time
 */
export const rowsAtOnce: Record<WorkersPlan, number> = { free: 50, paid: 1_000 };

/** How long an invocation begins attempts: Cloudflare allows 30 seconds after a response (milliseconds). */
const RUN_TIME = 20_000;

/**
 * What an invocation may do.
 *
 * @param subrequests D1 statements that it has left
 */
export function invocationBudget(plan: WorkersPlan, subrequests: number, now: number): Budget {
  const left = subrequests - FAILURE_STATEMENTS;
  const maxStatements = plan === "free" ? Math.min(left, ATTEMPT_STATEMENTS) : left;
  return { maxStatements, until: now + RUN_TIME, rows: rowsAtOnce[plan] };
}

/**
 * Continues the oldest running import, as far as the budget allows. Each attempt is one D1 batch with the import's
 * position: however often this is interrupted, repeated or run at the same time, every person is added once.
 *
 * @returns how many statements were executed
 */
export async function continueImports(deps: ImportDeps, budget: Budget): Promise<number> {
  let statements = 0;
  while (statements + ATTEMPT_STATEMENTS <= budget.maxStatements && deps.now() < budget.until) {
    const claimed = await claimRows(deps.db, { now: deps.now(), limit: budget.rows });
    statements += 1;
    if (claimed === null) break;
    const { found } = claimed;
    if (found.state === "stopped") {
      logStopped(found);
      continue;
    }
    try {
      // On demand, because imports are rare; after the attempt was counted, because loading takes CPU time.
      const { importRows } = await import("#app/owner/import/import-rows.server.ts");
      statements += await importRows(deps, claimed);
    } catch (error) {
      await recordImportFailure(deps, found);
      throw error;
    }
  }
  return statements;
}

/** Throws nothing, because the failure itself is what the caller reports. */
async function recordImportFailure({ db, now }: ImportDeps, found: Import): Promise<void> {
  try {
    const stopped = await recordFailure(db, found, now());
    if (stopped !== null) logStopped(stopped);
  } catch (error) {
    logError("import-failure-not-recorded", error, { importId: found.id });
  }
}

function logStopped({ id, position, rows_done, stop_reason }: Import): void {
  logWarning("import-stopped", { importId: id, position, rowsDone: rows_done, reason: stop_reason });
}
