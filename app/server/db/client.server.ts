import { drizzle } from "drizzle-orm/d1";
import { DailyQuotaError, isRefusal } from "#app/server/db/daily-quota-error.ts";
import { wrapD1 } from "#app/server/db/wrap-d1.server.ts";
import { withTimeout } from "#app/server/time/timeout.ts";
import type { Millis } from "#app/server/time/units.ts";

/** Until a D1 query counts as failed. */
export const DB_TIMEOUT: Millis = 5_000;

export type Db = ReturnType<typeof openDb>;

/**
 * With {@link DB_TIMEOUT} on every query and batch. `onQuotaExceeded`: called for the first query that D1 refuses until
 * midnight UTC; all of them throw the same `DailyQuotaError`, which is therefore logged once.
 */
export function openDb(d1: D1Database, onQuotaExceeded: () => void = () => {}) {
  let refusal: DailyQuotaError | undefined;
  return drizzle(
    wrapD1(d1, async (work) => {
      try {
        return await withTimeout(work(), DB_TIMEOUT, "D1");
      } catch (error) {
        if (!isRefusal(error)) throw error;
        if (refusal === undefined) {
          refusal = new DailyQuotaError(error.message);
          onQuotaExceeded();
        }
        throw refusal;
      }
    }),
  );
}
