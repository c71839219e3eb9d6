interface Statement {
  sql: string;
  params: unknown[];
}

/** Executes one statement, or all those of a batch. */
type Execute = <T>(work: () => Promise<T>, statements: Statement[]) => Promise<T>;

type Wrapped = D1PreparedStatement & { original: D1PreparedStatement; statement: Statement };

/**
 * @param hasMeta whether the results of all statements have `meta`, which D1's own `raw()` leaves out. Columns of the same
 *   name are then one.
 */
export function wrapD1(d1: D1Database, execute: Execute, { hasMeta = false } = {}): D1Database {
  function wrap(original: D1PreparedStatement, statement: Statement): Wrapped {
    const one = <T>(work: () => Promise<T>) => execute(work, [statement]);
    const all = () => one(() => original.all());
    const rowsOfAll = async () => (await all()).results.map((row) => Object.values(row));
    return {
      original,
      statement,
      bind: (...params: unknown[]) => wrap(original.bind(...params), { sql: statement.sql, params }),
      all,
      run: () => one(() => original.run()),
      raw: (options: never) => (hasMeta ? rowsOfAll() : one(() => original.raw(options))),
      first: (column: never) => one(() => original.first(column)),
    } as unknown as Wrapped;
  }
  return {
    prepare: (sql: string) => wrap(d1.prepare(sql), { sql, params: [] }),
    batch: (batch: Wrapped[]) =>
      execute(
        () => d1.batch(batch.map(({ original }) => original)),
        batch.map(({ statement }) => statement),
      ),
  } as unknown as D1Database;
}
