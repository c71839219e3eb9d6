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
  return {
    prepare: (sql: string) => new TimedStatement(d1.prepare(sql)) as unknown as D1PreparedStatement,
    batch: (statements: unknown[]) => limit(d1.batch((statements as TimedStatement[]).map(({ original }) => original))),
  } as D1Database;
}

class TimedStatement {
  readonly original: D1PreparedStatement;

  constructor(original: D1PreparedStatement) {
    this.original = original;
  }

  bind(...values: unknown[]) {
    return new TimedStatement(this.original.bind(...values));
  }

  all() {
    return limit(this.original.all());
  }

  run() {
    return limit(this.original.run());
  }

  raw(options: never) {
    return limit(this.original.raw(options));
  }

  first(column: never) {
    return limit(this.original.first(column));
  }
}

function limit<T>(work: Promise<T>): Promise<T> {
  return withTimeout(work, DB_TIMEOUT, "D1");
}
