/** What the site's database client is opened on. Its real types belong to the Worker, and would replace Node's here. */
interface D1Database {
  prepare(sql: string): unknown;
  batch(statements: unknown[]): Promise<unknown[]>;
}

interface D1Result {
  meta: { changes: number };
}
