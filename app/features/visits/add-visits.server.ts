import { lt } from "drizzle-orm";
import { createBatchedCounter } from "#app/server/batched-counter.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { pageVisits, type VisitKind } from "#app/server/db/schema/statistics.server.ts";
import { runNamed } from "#app/server/db/sql-batch.server.ts";
import type { Millis } from "#app/server/time/units.ts";
import { OTHER } from "#app/waitlist/entries/campaign-name.ts";

/**
 * Minimum time between two writes of one isolate. Visits are stored within 20 seconds, and a day's writes of a busy isolate
 * are at most 5,760 rows.
 */
const WRITE_INTERVAL: Millis = 15_000;

/** Names in memory. More than a day stores, so that known campaigns are counted while random names flood the site. */
const MAX_PENDING = 5_000;

/** Names of each kind that a day has room for. */
const MAX_NAMES = 100;

/** How often a day's names may be ranked, which reads up to 3,000 rows. The free plan includes 5,000,000 a day. */
const MAX_RANKINGS = 300;

/** What a visit is counted by. `day` is `YYYY-MM-DD`. */
type VisitKey = readonly [day: string, kind: VisitKind, name: string];

/** @param max how many are counted in a day */
export function createVisitCounter(max: number) {
  return createBatchedCounter<VisitKey>({
    interval: WRITE_INTERVAL,
    limit: { keys: MAX_PENDING, replace: ([day, kind]) => [day, kind, OTHER] },
    write: (db, visits) => addVisits(db, visits, max),
    failure: "visits-not-counted",
  });
}

export async function deleteVisitsBefore(db: Db, day: string): Promise<void> {
  await db.delete(pageVisits).where(lt(pageVisits.day, day));
}

/**
 * Adds visits: one statement and one written row for each day. Of each kind {@link MAX_NAMES} names have room, and all
 * others count as {@link OTHER}: random names can fill a day's row, but not make it longer or lose a visit. A name with
 * several visits at once takes the place of one that has fewer, at most {@link MAX_RANKINGS} times a day.
 *
 * @param max how many visits a day is to have; once it has them, none is added
 */
export async function addVisits(db: Db, visits: [...VisitKey, count: number][], max: number): Promise<void> {
  for (const [day, ofDay] of Map.groupBy(visits, ([day]) => day)) {
    const named = ofDay.map(([, kind, name, count]) => ({
      kind,
      name,
      count,
      own: path(kind, name),
      other: path(kind),
    }));
    const values = { day, visits: JSON.stringify(named), max, max_names: MAX_NAMES };
    const added = await runNamed(db, { text: ADD_VISITS, values: { ...values, max_rankings: MAX_RANKINGS } });
    if (added.length > 0 || named.every(({ count }) => count === 1)) continue;
    await runNamed(db, { text: RANK_VISITS, values: { ...values, other: OTHER } });
  }
}

/** A name's path in a day's counts. Storable names hold no quotes or backslashes. */
function path(kind: VisitKind, name = OTHER): string {
  return `$.${kind}."${name}"`;
}

/**
 * Adds visits one after the other to the day's counts: first it decides which count is the next one's target, then adds to
 * that. It has scalar functions only where it can, because D1 counts each row that a table-valued one such as json_each
 * returns as read. No row: the day has enough (each visit has a page, of which there are few), or its names have to be ranked.
 */
export const ADD_VISITS = `INSERT INTO page_visits (day, counts, names, rankings)
WITH RECURSIVE stored AS (
  SELECT coalesce(max(counts), '{}') AS counts, coalesce(max(names), '{}') AS names, coalesce(max(rankings), 0) AS rankings
  FROM page_visits WHERE day = :day
  HAVING (SELECT coalesce(sum(value), 0) FROM page_visits, json_each(counts, '$.page') WHERE day = :day) < :max
),
folded AS (
  SELECT 0 AS added, :visits -> '$[0]' AS visit, NULL AS target, counts, names, false AS is_crowded FROM stored
  UNION ALL
  SELECT added, visit,
    iif(counts ->> (visit ->> 'own') IS NOT NULL OR coalesce(names ->> (visit ->> 'kind'), 0) < :max_names,
      visit ->> 'own', visit ->> 'other'),
    counts, names, is_crowded
  FROM folded WHERE target IS NULL AND visit IS NOT NULL
  UNION ALL
  SELECT added + 1, :visits -> ('$[' || (added + 1) || ']'), NULL,
    json_set(counts, target, coalesce(counts ->> target, 0) + (visit ->> 'count')),
    iif(counts ->> target IS NULL AND target <> visit ->> 'other',
      json_set(names, '$.' || (visit ->> 'kind'), coalesce(names ->> (visit ->> 'kind'), 0) + 1), names),
    is_crowded OR (target <> visit ->> 'own' AND visit ->> 'count' > 1)
  FROM folded WHERE target IS NOT NULL
)
SELECT :day, counts, names, 0 FROM folded
WHERE visit IS NULL AND (NOT is_crowded OR (SELECT rankings FROM stored) >= :max_rankings)
ON CONFLICT (day) DO UPDATE SET counts = excluded.counts, names = excluded.names
RETURNING day`;

/** Adds visits unless the day has enough, and keeps the most visited names of each kind. */
export const RANK_VISITS = `INSERT INTO page_visits (day, counts, names, rankings)
WITH added AS (
  SELECT value ->> 'kind' AS kind, value ->> 'name' AS name, value ->> 'count' AS visits, 0 AS stored
  FROM json_each(:visits)
  WHERE (SELECT coalesce(sum(value), 0) FROM page_visits, json_each(counts, '$.page') WHERE day = :day) < :max
),
known AS (
  SELECT kinds.key AS kind, names.key AS name, names.value AS visits, 1 AS stored
  FROM page_visits, json_each(counts) AS kinds, json_each(kinds.value) AS names
  WHERE day = :day AND EXISTS (SELECT 1 FROM added)
),
ranked AS (
  SELECT kind, name, sum(visits) AS visits, row_number() OVER (
    PARTITION BY kind ORDER BY name = :other DESC, sum(visits) DESC, max(stored) DESC) AS position
  FROM (SELECT * FROM known UNION ALL SELECT * FROM added) GROUP BY kind, name
),
bounded AS (
  SELECT kind, CASE WHEN position <= :max_names + 1 THEN name ELSE :other END AS name, sum(visits) AS visits
  FROM ranked GROUP BY 1, 2
),
kinds AS (
  SELECT kind, json_group_object(name, visits) AS counts, count(*) FILTER (WHERE name <> :other) AS names
  FROM bounded GROUP BY kind
)
SELECT :day, json_group_object(kind, json(counts)), json_group_object(kind, names), 1
FROM kinds WHERE true HAVING count(*) > 0
ON CONFLICT (day) DO UPDATE SET counts = excluded.counts, names = excluded.names, rankings = rankings + 1`;
