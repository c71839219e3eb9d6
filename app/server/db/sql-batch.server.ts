import { type SQL, sql } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/server/db/client.server.ts";

const dialect = new SQLiteAsyncDialect();

/** Executes SQL in one D1 batch, which Drizzle's own `batch` does for query builders only. @returns the rows of each */
export async function runBatch<Rows extends unknown[][]>(db: Db, statements: SQL[]): Promise<Rows> {
  const prepared = statements.map((statement) => {
    const query = dialect.sqlToQuery(statement);
    return db.$client.prepare(query.sql).bind(...query.params);
  });
  return (await db.$client.batch(prepared)).map(({ results }) => results) as Rows;
}

/** A parameter for divisions: D1 binds every number as a floating-point one. */
export function integer(value: number): SQL {
  return sql`CAST(${value} AS INTEGER)`;
}
