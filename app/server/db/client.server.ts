import { drizzle } from "drizzle-orm/d1";
import { wrapD1 } from "#app/server/db/wrap-d1.server.ts";
import { withTimeout } from "#app/server/timeout.ts";

/** Milliseconds until a D1 query counts as failed. */
export const DB_TIMEOUT = 5_000;

export type Db = ReturnType<typeof openDb>;

/** The database, with {@link DB_TIMEOUT} on every query and batch. */
export function openDb(d1: D1Database) {
  return drizzle(wrapD1(d1, (work) => withTimeout(work(), DB_TIMEOUT, "D1")));
}

/** What the statements of a database cost, as D1 reports it. */
export interface DbUsage {
  statements: number;
  rowsWritten: number;
}

/** The same database, which counts what its statements cost. */
export function measureDb(db: Db): { db: Db; usage: DbUsage } {
  const usage: DbUsage = { statements: 0, rowsWritten: 0 };
  const measured = wrapD1(
    db.$client,
    async (work) => {
      const results = await work();
      for (const { meta } of [results].flat() as { meta: { rows_written: number } }[]) {
        usage.statements += 1;
        usage.rowsWritten += meta.rows_written;
      }
      return results;
    },
    { hasMeta: true },
  );
  return { db: drizzle(measured), usage };
}
