import { type SQL, sql } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/server/db/client.server.ts";

const dialect = new SQLiteAsyncDialect();

/** Executes SQL in one D1 batch, which Drizzle's own `batch` does for query builders only. @returns the rows of each */
export async function runBatch<Rows extends unknown[][]>(db: Db, statements: (SQL | NamedSql)[]): Promise<Rows> {
  const prepared = statements.map((statement) => {
    if ("text" in statement) return bindNamed(db, statement);
    const query = dialect.sqlToQuery(statement);
    return db.$client.prepare(query.sql).bind(...query.params);
  });
  return (await db.$client.batch(prepared)).map(({ results }) => results) as Rows;
}

/** The same with a name for each statement. @returns the rows of each by its name */
export async function runBatchByName<Rows extends Record<string, unknown[]>>(
  db: Db,
  statements: Record<string, SQL | NamedSql>,
): Promise<Rows> {
  const rows = await runBatch(db, Object.values(statements));
  return Object.fromEntries(Object.keys(statements).map((name, index) => [name, rows[index]])) as Rows;
}

/** A statement that can be pasted into `sqlite3` as it stands, but for its parts: what an owner has chosen. */
export interface NamedSql {
  text: string;
  /** By name: `:now`. */
  values: Record<string, string | number | boolean | null>;
  /** Conditions by name: `{audience}`. */
  parts?: Record<string, SQL>;
}

export async function runNamed<Row>(db: Db, statement: NamedSql): Promise<Row[]> {
  return (await bindNamed(db, statement).all<Row>()).results;
}

/** D1 binds by number only, and every number as a floating-point one: divisions need a CAST. */
function bindNamed(db: Db, { text, values, parts = {} }: NamedSql): D1PreparedStatement {
  const bound: unknown[] = [];
  const numbers = new Map<string, number>();
  const numbered = text.replace(/:([a-z][a-z0-9_]*)|\{([a-z_]+)\}/g, (_, name: string | undefined, part: string) => {
    if (name === undefined) {
      const { sql: condition, params } = dialect.sqlToQuery(parts[part] ?? sql`true`);
      return condition.replaceAll("?", () => `?${bound.push(params.shift())}`);
    }
    const value = values[name];
    if (value === undefined) throw new Error(`the statement has no value for :${name}`);
    const number = numbers.get(name) ?? bound.push(typeof value === "boolean" ? Number(value) : value);
    numbers.set(name, number);
    return `?${number}`;
  });
  return db.$client.prepare(numbered).bind(...bound);
}
