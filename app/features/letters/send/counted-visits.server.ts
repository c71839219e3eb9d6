import type { Db } from "#app/server/db/client.server.ts";
import { runNamed } from "#app/server/db/sql-batch.server.ts";
import { localDate } from "#app/server/time/time-zone-days.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

/** What the counted links to one page brought. `page` is a path; empty if the label had no room for it. */
export interface CountedLink {
  page: string;
  visits: number;
  /** Entries that joined through the links and still exist. */
  people: number;
}

/**
 * Visits are stored by day and campaign, people with the campaign through which they joined. The campaign of a letter's
 * link has the page behind the letter's own: `letter-12/roadmap`.
 */
const COUNT_VISITS = `WITH found AS (
  SELECT names.key AS name, names.value AS visits, 0 AS people
  FROM page_visits, json_each(counts, '$.utm_campaign') AS names WHERE day >= :day
  UNION ALL
  SELECT utm_campaign, 0, 1 FROM waitlist_emails WHERE created_at >= :since AND utm_campaign IS NOT NULL
)
SELECT lower(substr(name, length(:campaign) + 1)) AS page, sum(visits) AS visits, sum(people) AS people
FROM found WHERE lower(name) = :campaign OR lower(name) LIKE :campaign || '/%'
GROUP BY 1 ORDER BY visits DESC, people DESC, page`;

/** What a letter's counted links brought since a moment, the most visited page first. */
export function readCountedLinks(
  db: Db,
  { campaign, since, timeZone }: { campaign: string; since: EpochMillis; timeZone: string },
): Promise<CountedLink[]> {
  return runNamed<CountedLink>(db, {
    text: COUNT_VISITS,
    values: { campaign, since, day: localDate(since, timeZone) },
  });
}
