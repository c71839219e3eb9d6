import { drizzle } from "drizzle-orm/sqlite-proxy";
import type { Db } from "#app/server/db/client.server.ts";
import { startControl } from "#scripts/bench/workers.ts";

interface Statement {
  sql: string;
  params: unknown[];
}

interface Result {
  results: object[];
  meta: { rows_read: number; rows_written: number; size_after: number };
}

/** A bare Worker that runs batches on its D1. Miniflare's own access from Node makes two requests for each statement. */
const script = `export default {
  async fetch(request, { DB }) {
    const statements = await request.json();
    return Response.json(await DB.batch(statements.map(({ sql, params }) => DB.prepare(sql).bind(...params))));
  },
};`;

/** A fresh local D1 for the site's own queries, which counts what they cost as D1 does. */
export async function startLocalD1() {
  const worker = await startControl(script);
  const cost = { rowsRead: 0, rowsWritten: 0 };
  let size = 0;

  /** Runs statements as one batch. */
  async function batch(statements: Statement[]): Promise<{ rows: unknown[][] }[]> {
    const response = await fetch(worker.url, { method: "POST", body: JSON.stringify(statements) });
    if (!response.ok) throw new Error(`D1: ${await response.text()}`);
    const results = (await response.json()) as Result[];
    for (const { meta } of results) {
      cost.rowsRead += meta.rows_read;
      cost.rowsWritten += meta.rows_written;
      size = meta.size_after;
    }
    return results.map(({ results }) => ({ rows: results.map((row) => Object.values(row)) }));
  }

  const db = drizzle(async (sql, params) => (await batch([{ sql, params }]))[0] ?? { rows: [] }, batch);
  return {
    // Drizzle's drivers have the same queries and batches.
    db: db as unknown as Db,
    batch,
    /** What the statements of an action cost, and the bytes that the database has after it. */
    async measure(act: () => Promise<void>) {
      const before = { ...cost };
      const began = performance.now();
      await act();
      const milliseconds = performance.now() - began;
      const rowsRead = cost.rowsRead - before.rowsRead;
      return { rowsRead, rowsWritten: cost.rowsWritten - before.rowsWritten, bytes: size, milliseconds };
    },
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  };
}
