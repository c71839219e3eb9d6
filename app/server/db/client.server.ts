import { drizzle } from "drizzle-orm/d1";
import { withTimeout } from "#app/server/timeout.ts";

/** Milliseconds until a D1 query counts as failed. */
export const DB_TIMEOUT = 5_000;

export type Db = ReturnType<typeof openDb>;

/** The database, with {@link DB_TIMEOUT} on every query and batch. */
export function openDb(d1: D1Database) {
  return drizzle(withTimeouts(d1));
}

function withTimeouts(d1: D1Database): D1Database {
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const limit = <T>(work: Promise<T>) => withTimeout(work, DB_TIMEOUT, "D1");

  function wrap(original: D1PreparedStatement): D1PreparedStatement {
    const wrapped = {
      bind: (...values: unknown[]) => wrap(original.bind(...values)),
      all: () => limit(original.all()),
      run: () => limit(original.run()),
      raw: (options: never) => limit(original.raw(options)),
      first: (column: never) => limit(original.first(column)),
    } as unknown as D1PreparedStatement;
    originals.set(wrapped, original);
    return wrapped;
  }

  return {
    prepare: (sql: string) => wrap(d1.prepare(sql)),
    batch: (statements: D1PreparedStatement[]) =>
      limit(d1.batch(statements.map((statement) => originals.get(statement) ?? statement))),
  } as D1Database;
}
