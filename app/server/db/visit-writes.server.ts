import { sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";

/** The writes that a UTC day may take. */
export interface WriteLimit {
  /** `YYYY-MM-DD` */
  today: string;
  maxWrites: number;
}

/** How many rows visits have written on a UTC day. Their own days, in the owner's time zone, may begin on the one before. */
export function writesOn(today: string) {
  return sql<number>`(SELECT coalesce(sum(writes), 0) FROM page_visits
    WHERE day >= date(${today}, '-1 day') AND written_on = ${today})`;
}

/** Whether the writes of a UTC day are used up. */
export async function visitsAreFull(db: Db, { today, maxWrites }: WriteLimit): Promise<boolean> {
  const [found] = await db.select({ writes: writesOn(today) }).from(sql`(SELECT 1)`);
  return (found?.writes ?? 0) >= maxWrites;
}
