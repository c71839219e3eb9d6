import { sql } from "drizzle-orm";
import type { StoredLink } from "#app/features/links/links.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { runBatch } from "#app/server/db/sql-batch.server.ts";
import { type Computed, readStored, type StatsDeps, storeStats } from "#app/server/db/stored-stats.server.ts";
import { visits } from "#app/switches.ts";

/** Stored as one row, by the links' ids: it holds no name that visitors chose. */
export interface LinkStats {
  /** Visits that were counted, and entries that joined and still exist, by link. Links without any are missing. */
  byLink: Record<number, { visits: number; joined: number }>;
  /** The first day whose visits were counted by link (`YYYY-MM-DD`); null before that. */
  visitsSince: string | null;
  entries: number;
}

const KEY = "links:1";

/** Links that differ only in their page or medium share their numbers: neither is stored with people. */
export async function readLinkStats(deps: StatsDeps): Promise<LinkStats> {
  const { value } = await readStored<LinkStats>(deps, {
    key: KEY,
    renew: () => renewLinkStats(deps),
    entries: ({ entries }) => entries,
  });
  return value;
}

export function statsOf({ byLink }: LinkStats, { id }: StoredLink): { visits: number; joined: number } {
  return byLink[id] ?? { visits: 0, joined: 0 };
}

async function renewLinkStats({ db, now }: Pick<StatsDeps, "db" | "now">): Promise<Computed<LinkStats>> {
  const computedAt = now();
  const value = await computeLinkStats(db);
  await storeStats(db, [{ key: KEY, value, computed_at: computedAt }]);
  return { value, computedAt };
}

interface Row {
  /** Null in the row that counts all entries. */
  id: number | null;
  visits: number;
  joined: number;
}

/** Reads every entry once, and the visits of every day. As on the overview, capitals make no difference. */
async function computeLinkStats(db: Db): Promise<LinkStats> {
  const [rows, [counted]] = await runBatch<[Row[], { since: string | null }[]]>(db, [
    sql`WITH named AS (
      SELECT utm_source || iif(coalesce(utm_campaign, '') = '', '', ' > ' || utm_campaign) AS name, 0 AS visits, count(*) AS joined
      FROM waitlist_emails GROUP BY 1
      UNION ALL
      SELECT names.key, names.value, 0
      FROM page_visits, json_each(counts, '$.link') AS names WHERE ${visits}
    ),
    summed AS MATERIALIZED (
      SELECT name COLLATE NOCASE AS name, sum(visits) AS visits, sum(joined) AS joined FROM named GROUP BY name COLLATE NOCASE
    )
    SELECT links.id, summed.visits, summed.joined FROM links
    JOIN summed ON summed.name = utm_source || iif(utm_campaign = '', '', ' > ' || utm_campaign) COLLATE NOCASE
    UNION ALL
    SELECT NULL, 0, coalesce(sum(joined), 0) FROM summed`,
    sql`SELECT min(day) AS since FROM page_visits WHERE ${visits} AND counts -> '$.link' IS NOT NULL`,
  ]);
  const found = rows.filter(({ id }) => id !== null);
  return {
    byLink: Object.fromEntries(found.map(({ id, visits, joined }) => [id, { visits, joined }])),
    visitsSince: counted?.since ?? null,
    entries: rows.find(({ id }) => id === null)?.joined ?? 0,
  };
}
