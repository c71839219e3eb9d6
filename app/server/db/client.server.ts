import { drizzle } from "drizzle-orm/d1";

/** A D1 answer that takes longer than this counts as a failure (milliseconds). */
export const DB_TIMEOUT = 5_000;

/** The database as the domain's SQL files use it. */
export type Db = ReturnType<typeof openDb>;

export function openDb(d1: D1Database) {
  return drizzle(d1);
}
