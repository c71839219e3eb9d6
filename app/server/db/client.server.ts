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

/** What the statements of a database cost, as D1 reports it. */
export interface DbUsage {
  statements: number;
  rowsWritten: number;
}

/** The same database, which counts what its statements cost. */
export function measureDb(db: Db): { db: Db; usage: DbUsage } {
  const usage: DbUsage = { statements: 0, rowsWritten: 0 };
  const originals = new WeakMap<object, D1PreparedStatement>();
  const count = <T extends { meta: { rows_written?: number } }>(result: T): T => {
    usage.statements += 1;
    usage.rowsWritten += result.meta.rows_written ?? 0;
    return result;
  };
  const wrap = (original: D1PreparedStatement): D1PreparedStatement => {
    const all = async () => count(await original.all());
    const statement = {
      bind: (...values: unknown[]) => wrap(original.bind(...values)),
      all,
      run: all,
      // D1's own raw() does not say what it cost.
      raw: async () => (await all()).results.map((row) => Object.values(row as object)),
    } as unknown as D1PreparedStatement;
    originals.set(statement, original);
    return statement;
  };
  const client = {
    prepare: (sql: string) => wrap(db.$client.prepare(sql)),
    batch: async (statements: object[]) =>
      (await db.$client.batch(statements.map((one) => originals.get(one) as D1PreparedStatement))).map(count),
  } as unknown as D1Database;
  return { db: drizzle(client), usage };
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
