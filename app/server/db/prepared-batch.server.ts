import { fillPlaceholders } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";

export interface Statement {
  toSQL(): { sql: string; params: unknown[] };
}

/**
 * A D1 batch whose SQL Drizzle generates only once, for the hot path of sign-ups. `build` has `sql.placeholder(name)` for
 * every parameter. The result runs the batch with values by name, and resolves to the rows of each statement.
 */
export function prepareBatch(build: (db: Db) => Statement[]) {
  let queries: { sql: string; params: unknown[] }[] | null = null;

  return async (db: Db, values: Record<string, unknown>): Promise<unknown[][]> => {
    queries ??= build(db).map((statement) => statement.toSQL());
    const statements = queries.map(({ sql, params }) => {
      return db.$client.prepare(sql).bind(...fillPlaceholders(params, values));
    });
    return (await db.$client.batch(statements)).map(({ results }) => results);
  };
}
