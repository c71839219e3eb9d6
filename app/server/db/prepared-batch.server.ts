import { fillPlaceholders } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";

interface Statement {
  toSQL(): { sql: string; params: unknown[] };
}

/**
 * A D1 batch whose SQL Drizzle writes once, for what stands on the way of every sign-up.
 *
 * @param write makes the statements, with `sql.placeholder(name)` for whatever differs from call to call
 * @returns runs them with values by name, and resolves to the rows of each
 */
export function prepareBatch(write: (db: Db) => Statement[]) {
  let written: { sql: string; params: unknown[] }[] | null = null;

  return async (db: Db, values: Record<string, unknown>): Promise<unknown[][]> => {
    written ??= write(db).map((statement) => statement.toSQL());
    const statements = written.map(({ sql, params }) => {
      return db.$client.prepare(sql).bind(...fillPlaceholders(params, values));
    });
    return (await db.$client.batch(statements)).map(({ results }) => results);
  };
}
