import { lt, sql } from "drizzle-orm";
import { createBatchedCounter } from "#app/server/batched-counter.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { pageVisits, type VisitKind } from "#app/server/db/schema/statistics.server.ts";
import { OTHER } from "#app/waitlist/campaign-name.ts";

/** Names of each kind that a day has room for. */
export const MAX_NAMES = 100;

/**
 * Minimum time between two writes of one isolate (milliseconds). Visits are stored within 20 seconds, and a day's writes
 * of a busy isolate are at most 5,760 rows.
 */
export const WRITE_INTERVAL = 15_000;

/** Names in memory. More than a day stores, so that known campaigns are counted while random names flood the site. */
const MAX_PENDING = 5_000;

/** What a visit is counted by. `day` is `YYYY-MM-DD`. */
export type VisitKey = readonly [day: string, kind: VisitKind, name: string];

/** Counts visits. See {@link createBatchedCounter}. */
export function createVisitCounter() {
  return createBatchedCounter<VisitKey>({
    interval: WRITE_INTERVAL,
    limit: { keys: MAX_PENDING, replace: ([day, kind]) => [day, kind, OTHER] },
    write: addVisits,
    failure: "visits-not-counted",
  });
}

/**
 * Adds visits in one statement that writes one row for each day. Of each kind the {@link MAX_NAMES} most visited names
 * stay, and all others count as {@link OTHER}: random names can fill a day's row, but not make it longer or lose a visit.
 */
export async function addVisits(db: Db, visits: [...VisitKey, count: number][]): Promise<void> {
  const counts = sql`
    WITH added AS (
      SELECT value ->> 0 AS day, value ->> 1 AS kind, value ->> 2 AS name, value ->> 3 AS visits, 0 AS stored
      FROM json_each(${JSON.stringify(visits)})
    ),
    known AS (
      SELECT day, kinds.key AS kind, names.key AS name, names.value AS visits, 1 AS stored
      FROM page_visits, json_each(counts) AS kinds, json_each(kinds.value) AS names
      WHERE day IN (SELECT day FROM added)
    ),
    ranked AS (
      SELECT day, kind, name, sum(visits) AS visits, row_number() OVER (
        PARTITION BY day, kind ORDER BY name = ${OTHER} DESC, sum(visits) DESC, max(stored) DESC
      ) AS position
      FROM (SELECT * FROM known UNION ALL SELECT * FROM added) GROUP BY day, kind, name
    ),
    bounded AS (
      SELECT day, kind, CASE WHEN position <= ${MAX_NAMES + 1} THEN name ELSE ${OTHER} END AS name, sum(visits) AS visits
      FROM ranked GROUP BY 1, 2, 3
    ),
    kinds AS (SELECT day, kind, json_group_object(name, visits) AS names FROM bounded GROUP BY day, kind)
    SELECT day, json_group_object(kind, json(names)) FROM kinds WHERE true GROUP BY day`;
  await db
    .insert(pageVisits)
    .select(counts)
    .onConflictDoUpdate({ target: pageVisits.day, set: { counts: sql`excluded.counts` } });
}

/** Deletes the visits of the days before one. */
export async function deleteVisitsBefore(db: Db, day: string): Promise<void> {
  await db.delete(pageVisits).where(lt(pageVisits.day, day));
}
