import { drizzle } from "drizzle-orm/d1";
import type { Db } from "#app/server/db/client.server.ts";
import { wrapD1 } from "#app/server/db/wrap-d1.server.ts";

/** What the statements of a database cost, as D1 reports it. */
export interface DbUsage {
  statements: number;
  rowsWritten: number;
}

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
