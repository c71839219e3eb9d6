import { drizzle } from "drizzle-orm/d1";

/** Milliseconds until a D1 query counts as failed. */
export const DB_TIMEOUT = 5_000;

export type Db = ReturnType<typeof openDb>;

export function openDb(d1: D1Database) {
  return drizzle(d1);
}
