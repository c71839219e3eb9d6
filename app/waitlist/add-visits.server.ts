import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { pageVisits, type VisitKind } from "#app/server/db/schema/statistics.server.ts";
import { OTHER } from "#app/waitlist/campaign-name.ts";

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
    if (!(await add(db, day, ofDay, max)) && mayRank) await rankAndAdd(db, day, ofDay, max);
  }
}

/** The visits that a day has. Each has a page, of which there are few. */
function visitsOn(day: string): SQL {
  return sql`(SELECT coalesce(sum(value), 0) FROM page_visits, json_each(counts, '$.page') WHERE day = ${day})`;
}

/** Adds visits, and reads few rows. False if the day has enough, or if its names have to be ranked. */
async function add(db: Db, day: string, visits: Visits[], max: number): Promise<boolean> {
  const items = visits.map(([, kind, name, count]) => [kind, path(kind, name), path(kind, OTHER), count]);
  // Scalar functions only: D1 counts each row that a table-valued one such as json_each returns as read.
  const item = (index: number) => sql`(items ->> ('$[' || step || '][' || ${sql.raw(String(index))} || ']'))`;
  const [kind, ownPath, otherPath, count] = [item(0), item(1), item(2), item(3)];
  const isKnown = sql`((counts ->> ${ownPath}) IS NOT NULL)`;
  const namesOfKind = sql`coalesce(names ->> ${kind}, 0)`;
  const fits = sql`(${isKnown} OR ${ownPath} = ${otherPath} OR ${namesOfKind} < ${sql.raw(String(MAX_NAMES))})`;
  const target = sql`iif(${fits}, ${ownPath}, ${otherPath})`;
  const isNewName = sql`${fits} AND NOT ${isKnown} AND ${ownPath} <> ${otherPath}`;
  const rows = sql`
    WITH RECURSIVE stored AS (
      SELECT coalesce(max(counts), '{}') AS counts, coalesce(max(names), '{}') AS names,
        coalesce(max(rankings), 0) AS rankings
      FROM page_visits WHERE day = ${day} HAVING ${visitsOn(day)} < ${max}
    ),
    input AS (SELECT ${JSON.stringify(items)} AS items, ${items.length} AS size),
    folded AS (
      SELECT 0 AS step, counts, names, 0 AS crowded FROM stored
      UNION ALL
      SELECT step + 1, json_set(counts, ${target}, coalesce(counts ->> ${target}, 0) + ${count}),
        iif(${isNewName}, json_set(names, '$.' || ${kind}, ${namesOfKind} + 1), names),
        crowded OR (NOT ${fits} AND ${count} > 1)
      FROM folded, input WHERE step < size
    )
    SELECT ${day}, counts, names, 0 FROM folded, input
    WHERE step = size AND (NOT crowded OR (SELECT rankings FROM stored) >= ${MAX_RANKINGS})`;
  return write(db, rows);
}

/** Adds visits, and keeps the most visited names of each kind. */
async function rankAndAdd(db: Db, day: string, visits: Visits[], max: number): Promise<boolean> {
  const rows = sql`
    WITH added AS (
      SELECT value ->> 1 AS kind, value ->> 2 AS name, value ->> 3 AS visits, 0 AS stored
      FROM json_each(${JSON.stringify(visits)}) WHERE ${visitsOn(day)} < ${max}
    ),
    known AS (
      SELECT kinds.key AS kind, names.key AS name, names.value AS visits, 1 AS stored
      FROM page_visits, json_each(counts) AS kinds, json_each(kinds.value) AS names
      WHERE day = ${day} AND EXISTS (SELECT 1 FROM added)
    ),
    ranked AS (
      SELECT kind, name, sum(visits) AS visits, row_number() OVER (
        PARTITION BY kind ORDER BY name = ${OTHER} DESC, sum(visits) DESC, max(stored) DESC
      ) AS position
      FROM (SELECT * FROM known UNION ALL SELECT * FROM added) GROUP BY kind, name
    ),
    bounded AS (
      SELECT kind, CASE WHEN position <= ${MAX_NAMES + 1} THEN name ELSE ${OTHER} END AS name, sum(visits) AS visits
      FROM ranked GROUP BY 1, 2
    ),
    kinds AS (
      SELECT kind, json_group_object(name, visits) AS counts, count(*) FILTER (WHERE name <> ${OTHER}) AS names
      FROM bounded GROUP BY kind
    )
    SELECT ${day}, json_group_object(kind, json(counts)), json_group_object(kind, names), 1
    FROM kinds WHERE true HAVING count(*) > 0`;
  return write(db, rows);
}

/** @param rows in the table's columns */
async function write(db: Db, rows: SQL): Promise<boolean> {
  const { day, rankings } = pageVisits;
  const written = await db
    .insert(pageVisits)
    .select(rows)
    .onConflictDoUpdate({
      target: day,
      set: {
        counts: sql`excluded.counts`,
        names: sql`excluded.names`,
        rankings: sql`${rankings} + excluded.rankings`,
      },
    })
    .returning({ day });
  return written.length > 0;
}

/** A name's place in a day's counts. Storable names hold no quotes or backslashes. */
function path(kind: VisitKind, name: string): string {
  return `$.${kind}."${name}"`;
}
