import type { Cloudflare } from "#scripts/lib/cloudflare.ts";

interface Query {
  sql: string;
  params: unknown[];
}

interface RawResult {
  results: { columns: string[]; rows: unknown[][] };
  meta: { changes?: number };
}

/** The methods of a prepared statement that Drizzle calls. */
interface Statement extends Query {
  bind(...params: unknown[]): Statement;
  raw(): Promise<unknown[][]>;
  all(): Promise<BindingResult>;
  run(): Promise<BindingResult>;
}

interface BindingResult {
  success: true;
  results: Record<string, unknown>[];
  meta: RawResult["meta"];
}

/**
 * Adapts D1's HTTP API to the binding's interface, so that the site's own queries run on the owner's machine.
 *
 * Cloudflare does not document whether the API's batches are transactions, as the binding's are. Changes that must be
 * atomic have to be one statement.
 *
 * https://developers.cloudflare.com/api/resources/d1/subresources/database/methods/raw/
 */
export function remoteD1(cloudflare: Cloudflare, databaseId: string): D1Database {
  const send = (body: Query | { batch: Query[] }) =>
    cloudflare.post<RawResult[]>("Querying the database", `/d1/database/${databaseId}/raw`, body);
  const prepare = (sql: string, params: unknown[] = []): Statement => {
    const one = async () => first(await send({ sql, params }));
    const result = async () => asBinding(await one());
    return {
      sql,
      params,
      bind: (...values) => prepare(sql, values),
      raw: async () => (await one()).results.rows,
      all: result,
      run: result,
    };
  };
  const batch = async (statements: Query[]) => {
    const queries = statements.map(({ sql, params }) => ({ sql, params }));
    return (await send({ batch: queries })).map(asBinding);
  };
  // Drizzle calls only these methods of the binding.
  return { prepare: (sql: string) => prepare(sql), batch } as unknown as D1Database;
}

function first(results: RawResult[]): RawResult {
  const [result] = results;
  if (result === undefined) throw new Error("Cloudflare's response contains no result");
  return result;
}

function asBinding({ results: { columns, rows }, meta }: RawResult): BindingResult {
  const results = rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
  return { success: true, results, meta };
}
