import { drizzle } from "drizzle-orm/d1";
import { wrapD1 } from "#app/server/db/wrap-d1.server.ts";
import { withTimeout } from "#app/server/timeout.ts";

/** Milliseconds until a D1 query counts as failed. */
export const DB_TIMEOUT = 5_000;

export type Db = ReturnType<typeof openDb>;

/** The database, with {@link DB_TIMEOUT} on every query and batch. */
export function openDb(d1: D1Database) {
  return drizzle(wrapD1(d1, (work) => withTimeout(work(), DB_TIMEOUT, "D1")));
}
