import { drizzle } from "drizzle-orm/d1";
import type { Db } from "#app/server/db/client.server.ts";

export interface Statement {
  sql: string;
  params: unknown[];
}

export interface Rows {
  columns: string[];
  rows: unknown[][];
}

/** A database outside Workers, with the part of D1's interface that the site's queries use. @param execute one statement, or a batch */
export function openAsD1(execute: (statements: Statement[]) => Promise<Rows[]>): Db {
  const resultOf = ({ columns, rows }: Rows) => {
    return { results: rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]]))) };
  };
  const prepare = (sql: string, params: unknown[] = []) => {
    const one = async () => (await execute([{ sql, params }]))[0] ?? { columns: [], rows: [] };
    const all = async () => resultOf(await one());
    return {
      sql,
      params,
      bind: (...given: unknown[]) => prepare(sql, given),
      all,
      run: all,
      raw: async () => (await one()).rows,
    };
  };
  const batch = async (statements: Statement[]) => (await execute(statements)).map(resultOf);
  return drizzle({ prepare, batch } as unknown as D1Database);
}
