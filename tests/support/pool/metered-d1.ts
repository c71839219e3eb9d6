import { env } from "cloudflare:test";

interface ExecutedStatement {
  sql: string;
  params: unknown[];
  /** As D1 counts them, with one more for each index that changes. */
  rowsWritten: number;
}

/** Whether a statement records how a batch of emails was sent. */
export function isRecordOfResults(sql: string): boolean {
  return /^update "email_outbox" set.* from json_each/s.test(sql);
}

/**
 * The test database, which records every statement it executes.
 *
 * @param onPrepare called with each statement before it is executed; may throw
 */
export function meteredD1(onPrepare: (sql: string) => void = () => {}) {
  const executed: ExecutedStatement[] = [];
  const unwrapped = new WeakMap<D1PreparedStatement, { original: D1PreparedStatement; record: Recorder }>();
  type Recorder = <Row>(result: D1Result<Row>) => D1Result<Row>;

  function wrap(original: D1PreparedStatement, sql: string, params: unknown[] = []): D1PreparedStatement {
    const record: Recorder = (result) => {
      executed.push({ sql, params, rowsWritten: result.meta.rows_written });
      return result;
    };
    const all = async () => record(await original.all());
    const statement = {
      bind: (...values: unknown[]) => wrap(original.bind(...values), sql, values),
      all,
      run: all,
      // D1's own raw() has no `meta`.
      raw: async () => (await all()).results.map((row) => Object.values(row as object)),
    } as unknown as D1PreparedStatement;
    unwrapped.set(statement, { original, record });
    return statement;
  }

  const d1 = {
    prepare(sql: string) {
      onPrepare(sql);
      return wrap(env.DB.prepare(sql), sql);
    },
    async batch(statements: D1PreparedStatement[]) {
      const batch = statements.map((statement) => {
        const known = unwrapped.get(statement);
        if (known === undefined) throw new Error("a statement of another database");
        return known;
      });
      const results = await env.DB.batch(batch.map(({ original }) => original));
      return results.map((result, index) => batch[index]?.record(result));
    },
  } as unknown as D1Database;

  return {
    d1,
    executed,
    rowsWritten: () => executed.reduce((sum, statement) => sum + statement.rowsWritten, 0),
    /** Executed statements that match a pattern, in the form that `explain` takes. */
    matching: (pattern: RegExp) =>
      executed.filter(({ sql }) => pattern.test(sql)).map((statement) => ({ toSQL: () => statement })),
    reset: () => void executed.splice(0),
  };
}
