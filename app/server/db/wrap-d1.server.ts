interface Statement {
  sql: string;
  params: unknown[];
}

/** Executes one statement, or all those of a batch. */
type Execute = <T>(work: () => Promise<T>, statements: Statement[]) => Promise<T>;

/**
 * The same database, whose statements and batches are executed by `execute`.
 *
 * @param hasMeta whether the results of all statements have `meta`, which D1's own `raw()` leaves out. Columns of the same
 *   name are then one.
 */
export function wrapD1(d1: D1Database, execute: Execute, { hasMeta = false } = {}): D1Database {
  const wrapped = new WeakMap<object, { original: D1PreparedStatement; statement: Statement }>();

  function wrap(original: D1PreparedStatement, statement: Statement): D1PreparedStatement {
    const run = <T>(work: () => Promise<T>) => execute(work, [statement]);
    const all = () => run(() => original.all());
    const values = async () => (await all()).results.map((row) => Object.values(row));
    const methods = {
      bind: (...params: unknown[]) => wrap(original.bind(...params), { ...statement, params }),
      all,
      run: () => run(() => original.run()),
      raw: (options: never) => (hasMeta ? values() : run(() => original.raw(options))),
      first: (column: never) => run(() => original.first(column)),
    } as unknown as D1PreparedStatement;
    wrapped.set(methods, { original, statement });
    return methods;
  }

  return {
    prepare: (sql: string) => wrap(d1.prepare(sql), { sql, params: [] }),
    batch(statements: object[]) {
      const batch = statements.flatMap((methods) => wrapped.get(methods) ?? []);
      const work = () => d1.batch(batch.map(({ original }) => original));
      return execute(
        work,
        batch.map(({ statement }) => statement),
      );
    },
  } as unknown as D1Database;
}
