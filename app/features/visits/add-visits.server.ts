import type { Db } from "#app/server/db/client.server.ts";
import type { VisitKind } from "#app/server/db/schema/statistics.server.ts";
import { runNamed } from "#app/server/db/sql-batch.server.ts";
import { OTHER } from "#app/waitlist/entries/campaign-name.ts";

/** Names of each kind that a day has room for. */
export const MAX_NAMES = 100;

/** How often a day's names may be ranked, which reads up to 3,000 rows. The free plan includes 5,000,000 a day. */
export const MAX_RANKINGS = 300;

/** What a visit is counted by. `day` is `YYYY-MM-DD`. */
export type VisitKey = readonly [day: string, kind: VisitKind, name: string];

type Visits = [...VisitKey, count: number];

/**
 * Adds visits: one statement and one written row for each day. Of each kind {@link MAX_NAMES} names have room, and all
 * others count as {@link OTHER}: random names can fill a day's row, but not make it longer or lose a visit. A name with
 * several visits at once takes the place of one that has fewer, at most {@link MAX_RANKINGS} times a day.
 *
 * @param max how many visits a day is to have; once it has them, none is added
 */
export async function addVisits(db: Db, visits: Visits[], max: number): Promise<void> {
  for (const [day, ofDay] of Map.groupBy(visits, ([day]) => day)) {
    const mayRank = ofDay.some(([, , , count]) => count > 1);
    if (!(await add(db, day, ofDay, max)) && mayRank) {
      const values = { day, max, visits: JSON.stringify(ofDay), other: OTHER };
      await runNamed(db, { text: RANK_VISITS, values });
    }
  }
}

/** The visits that a day has. Each has a page, of which there are few. */
const HAS_ROOM = `(SELECT coalesce(sum(value), 0) FROM page_visits, json_each(counts, '$.page') WHERE day = :day) < :max`;

// Scalar functions only: D1 counts each row that a table-valued one such as json_each returns as read.
const [KIND, OWN_PATH, OTHER_PATH, COUNT] = [0, 1, 2, 3].map((index) => `(:items ->> ('$[' || step || '][${index}]'))`);
const IS_KNOWN = `(counts ->> ${OWN_PATH} IS NOT NULL)`;
const FITS = `(${IS_KNOWN} OR ${OWN_PATH} = ${OTHER_PATH} OR coalesce(names ->> ${KIND}, 0) < ${MAX_NAMES})`;
const TARGET = `iif(${FITS}, ${OWN_PATH}, ${OTHER_PATH})`;
const IS_NEW = `${FITS} AND NOT ${IS_KNOWN} AND ${OWN_PATH} <> ${OTHER_PATH}`;

const WRITE = `ON CONFLICT (day) DO UPDATE SET counts = excluded.counts, names = excluded.names,
  rankings = rankings + excluded.rankings RETURNING day`;

/**
 * Adds visits one after the other to the day's counts, and reads few rows. No row: the day has enough, or its names have to
 * be ranked.
 */
export const ADD_VISITS = `INSERT INTO page_visits (day, counts, names, rankings)
WITH RECURSIVE stored AS (
  SELECT coalesce(max(counts), '{}') AS counts, coalesce(max(names), '{}') AS names, coalesce(max(rankings), 0) AS rankings
  FROM page_visits WHERE day = :day HAVING ${HAS_ROOM}
),
folded AS (
  SELECT 0 AS step, counts, names, 0 AS crowded FROM stored
  UNION ALL
  SELECT step + 1, json_set(counts, ${TARGET}, coalesce(counts ->> ${TARGET}, 0) + ${COUNT}),
    iif(${IS_NEW}, json_set(names, '$.' || ${KIND}, coalesce(names ->> ${KIND}, 0) + 1), names),
    crowded OR (NOT ${FITS} AND ${COUNT} > 1)
  FROM folded WHERE step < :size
)
SELECT :day, counts, names, 0 FROM folded
WHERE step = :size AND (NOT crowded OR (SELECT rankings FROM stored) >= ${MAX_RANKINGS})
${WRITE}`;

/** Adds visits, and keeps the most visited names of each kind. */
export const RANK_VISITS = `INSERT INTO page_visits (day, counts, names, rankings)
WITH added AS (
  SELECT value ->> 1 AS kind, value ->> 2 AS name, value ->> 3 AS visits, 0 AS stored
  FROM json_each(:visits) WHERE ${HAS_ROOM}
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
  SELECT kind, CASE WHEN position <= ${MAX_NAMES} + 1 THEN name ELSE :other END AS name, sum(visits) AS visits
  FROM ranked GROUP BY 1, 2
),
kinds AS (
  SELECT kind, json_group_object(name, visits) AS counts, count(*) FILTER (WHERE name <> :other) AS names
  FROM bounded GROUP BY kind
)
SELECT :day, json_group_object(kind, json(counts)), json_group_object(kind, names), 1
FROM kinds WHERE true HAVING count(*) > 0
${WRITE}`;

/** False if the day has enough, or if its names have to be ranked. */
async function add(db: Db, day: string, visits: Visits[], max: number): Promise<boolean> {
  const items = visits.map(([, kind, name, count]) => [kind, path(kind, name), path(kind, OTHER), count]);
  const values = { day, max, items: JSON.stringify(items), size: items.length };
  return (await runNamed(db, { text: ADD_VISITS, values })).length > 0;
}

/** A name's place in a day's counts. Storable names hold no quotes or backslashes. */
function path(kind: VisitKind, name: string): string {
  return `$.${kind}."${name}"`;
}
