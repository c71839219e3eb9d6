import { env } from "cloudflare:test";
import { wrapD1 } from "#app/server/db/wrap-d1.server.ts";

interface ExecutedStatement {
  sql: string;
  params: unknown[];
  /** As D1 counts them, with one more for each index that changes. */
  rowsWritten: number;
  rowsRead: number;
}

/** Whether a statement records how a batch of emails was sent. */
export function isRecordOfResults(sql: string): boolean {
  return /^update "email_outbox" set.* from json_each/s.test(sql);
}

/**
 * The test database, which records every statement it executes.
 *
 * @param before called with each statement before it, or its batch, is executed; may throw
 */
export function meteredD1(before: (sql: string) => void = () => {}) {
  const executed: ExecutedStatement[] = [];
  const d1 = wrapD1(
    env.DB,
    async (work, statements) => {
      for (const { sql } of statements) before(sql);
      const results = await work();
      const metas = ([results].flat() as D1Result[]).map(({ meta }) => meta);
      executed.push(
        ...statements.map((statement, index) => ({
          ...statement,
          rowsWritten: metas[index]?.rows_written ?? 0,
          rowsRead: metas[index]?.rows_read ?? 0,
        })),
      );
      return results;
    },
    { hasMeta: true },
  );
  return {
    d1,
    executed,
    rowsWritten: () => executed.reduce((sum, statement) => sum + statement.rowsWritten, 0),
    rowsRead: () => executed.reduce((sum, statement) => sum + statement.rowsRead, 0),
    /** Executed statements that match a pattern, in the form that `explain` takes. */
    matching: (pattern: RegExp) =>
      executed.filter(({ sql }) => pattern.test(sql)).map((statement) => ({ toSQL: () => statement })),
    reset: () => void executed.splice(0),
  };
}
