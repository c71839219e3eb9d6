interface Statement {
  sql: string;
  params: unknown[];
}

/** Executes one statement, or all those of a batch. */
type Execute = <T>(work: () => Promise<T>, statements: Statement[]) => Promise<T>;

/**
 * @param hasMeta whether the results of all statements have `meta`, which D1's own `raw()` leaves out. Columns of the same
 *   name are then one.
 */
export function wrapD1(d1: D1Database, execute: Execute, { hasMeta = false } = {}): D1Database {
  const options = { execute, hasMeta };
  return {
    prepare: (sql: string) => new WrappedStatement(d1.prepare(sql), { sql, params: [] }, options),
    batch: (batch: WrappedStatement[]) =>
      execute(
        () => d1.batch(batch.map(({ original }) => original)),
        batch.map(({ statement }) => statement),
      ),
  } as unknown as D1Database;
}

class WrappedStatement {
  readonly original: D1PreparedStatement;
  readonly statement: Statement;
  readonly #options: { execute: Execute; hasMeta: boolean };

  constructor(original: D1PreparedStatement, statement: Statement, options: { execute: Execute; hasMeta: boolean }) {
    this.original = original;
    this.statement = statement;
    this.#options = options;
  }

  bind(...params: unknown[]): WrappedStatement {
    return new WrappedStatement(this.original.bind(...params), { sql: this.statement.sql, params }, this.#options);
  }

  all() {
    return this.#execute(() => this.original.all());
  }

  run() {
    return this.#execute(() => this.original.run());
  }

  async raw(options: never) {
    if (!this.#options.hasMeta) return this.#execute(() => this.original.raw(options));
    return (await this.all()).results.map((row) => Object.values(row));
  }

  first(column: never) {
    return this.#execute(() => this.original.first(column));
  }

  #execute<T>(work: () => Promise<T>): Promise<T> {
    return this.#options.execute(work, [this.statement]);
  }
}
