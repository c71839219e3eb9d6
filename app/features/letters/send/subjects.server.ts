import { inArray } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import type { letters } from "#app/server/db/schema/letters.server.ts";
import type { seriesSteps } from "#app/server/db/schema/series.server.ts";
import { fillGreetings } from "#app/waitlist/questions/greetings.server.ts";

/** The subjects of letters or follow-ups, by id, as people without answers read them. Those without one are left out. */
export async function readSubjects(
  db: Db,
  table: typeof letters | typeof seriesSteps,
  ids: number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const { id, subject } = table;
  const found = await db.select({ id, subject }).from(table).where(inArray(id, ids));
  return new Map(found.map((row) => [row.id, fillGreetings(row.subject, null)]));
}
