import { eq } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { storedStats } from "#app/server/db/schema/statistics.server.ts";

/** The stored number that visitors may read. Erasures leave it: it names no one, as the other stored stats may. */
export const PIONEERS_KEY = "pioneers";

/** Visitors are not told a smaller number. */
const LEAST = 100;

/** The number to store. @param canGetEmail how many people on the waitlist can get email */
export function countPioneers(canGetEmail: number): object {
  return { count: canGetEmail };
}

/** How many Pioneers there are, as visitors read it; null if they are too few, or have not been counted. */
export async function readPioneers(db: Db): Promise<string | null> {
  const [row] = await db.select().from(storedStats).where(eq(storedStats.key, PIONEERS_KEY));
  return row === undefined ? null : atLeast((row.value as { count: number }).count);
}

/** Rounded down to half of its leading place: `100+`, `150+`, `1,500+`. Null below {@link LEAST}. */
export function atLeast(count: number): string | null {
  if (count < LEAST) return null;
  const step = 10 ** (String(count).length - 1) / 2;
  return `${(count - (count % step)).toLocaleString("en-GB")}+`;
}
