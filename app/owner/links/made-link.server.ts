import { eq } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { storedStats } from "#app/server/db/schema.server.ts";

const KEY = "link-made";

/** Whether the owner has made a tagged link, for the steps of the first day. */
export async function hasMadeLink(db: Db): Promise<boolean> {
  const found = await db.select({ key: storedStats.key }).from(storedStats).where(eq(storedStats.key, KEY));
  return found.length > 0;
}

export async function recordMadeLink(db: Db, now: number): Promise<void> {
  await db.insert(storedStats).values({ key: KEY, value: {}, computed_at: now }).onConflictDoNothing();
}
