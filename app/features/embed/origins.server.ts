import { asc, eq, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { insertWhere } from "#app/server/db/insert-where.server.ts";
import { embedOrigins } from "#app/server/db/schema/embed.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

export const MAX_ORIGINS = 20;

export type AllowedOrigin = typeof embedOrigins.$inferSelect;

/** One look-up by the primary key. @param origin an `Origin` header */
export async function isAllowedOrigin(db: Db, origin: string): Promise<boolean> {
  const found = await db
    .select({ origin: embedOrigins.origin })
    .from(embedOrigins)
    .where(eq(embedOrigins.origin, origin));
  return found.length > 0;
}

export function listOrigins(db: Db): Promise<AllowedOrigin[]> {
  return db.select().from(embedOrigins).orderBy(asc(embedOrigins.origin));
}

/** @returns false if it was allowed before, or the list is full */
export async function allowOrigin(db: Db, origin: string, now: EpochMillis): Promise<boolean> {
  const added = await insertWhere(db, embedOrigins, sql`(SELECT count(*) FROM ${embedOrigins}) < ${MAX_ORIGINS}`)
    .values({ origin, created_at: now })
    .onConflictDoNothing()
    .returning();
  return added.length > 0;
}

/** @returns false if it was not allowed */
export async function removeOrigin(db: Db, origin: string): Promise<boolean> {
  const removed = await db.delete(embedOrigins).where(eq(embedOrigins.origin, origin)).returning();
  return removed.length > 0;
}
