import { lt, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { pageVisits, type VisitKind } from "#app/server/db/schema/statistics.server.ts";

/** Names of each kind that a day has room for. */
export const MAX_NAMES = 100;

/** Stands for all names that are not stored. No stored name begins with a bracket. */
export const OTHER = "(other)";

/** Visits to add: `[kind, name, visits]`. */
export type AddedVisits = [kind: VisitKind, name: string, visits: number][];

/**
 * Adds visits to a day in one statement that writes one row. Of each kind the {@link MAX_NAMES} most visited names stay,
 * and all others count as {@link OTHER}: random names can fill a day's row, but not make it longer or lose a visit.
 */
export function addVisits(db: Db, day: string, added: AddedVisits) {
  const ranked = sql`
    SELECT kind, name, sum(visits) AS visits,
      row_number() OVER (PARTITION BY kind ORDER BY name = ${OTHER} DESC, sum(visits) DESC, max(stored) DESC) AS position
    FROM (
      SELECT kinds.key AS kind, names.key AS name, names.value AS visits, 1 AS stored
      FROM page_visits, json_each(counts) AS kinds, json_each(kinds.value) AS names WHERE day = ${day}
      UNION ALL
      SELECT value ->> 0, value ->> 1, value ->> 2, 0 FROM json_each(${JSON.stringify(added)})
    ) GROUP BY kind, name`;
  const bounded = sql`
    SELECT kind, CASE WHEN position <= ${MAX_NAMES + 1} THEN name ELSE ${OTHER} END AS name, sum(visits) AS visits
    FROM (${ranked}) GROUP BY 1, 2`;
  const counts = sql`SELECT kind, json_group_object(name, visits) AS names FROM (${bounded}) GROUP BY kind`;
  return db
    .insert(pageVisits)
    .select(sql`SELECT ${day}, json_group_object(kind, json(names)) FROM (${counts}) WHERE true`)
    .onConflictDoUpdate({ target: pageVisits.day, set: { counts: sql`excluded.counts` } });
}

/** Deletes the visits of the days before one. */
export async function deleteVisitsBefore(db: Db, day: string): Promise<void> {
  await db.delete(pageVisits).where(lt(pageVisits.day, day));
}
