import { env } from "cloudflare:test";

/** SQLite's query plan, one line per step. */
export async function explain(query: { toSQL(): { sql: string; params: unknown[] } }): Promise<string[]> {
  const { sql, params } = query.toSQL();
  const statement = env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...params);
  return (await statement.all<{ detail: string }>()).results.map(({ detail }) => detail);
}
