import { type SQL, sql } from "drizzle-orm";
import { CSV_PAGE, pagedCsv } from "#app/owner/ui/csv.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { reachedMilestones, referrals, referrers } from "#app/server/db/schema/referrals.server.ts";
import { VISIT_BY_LINK } from "#app/waitlist/entries/personal-link.ts";
import { countedDecisions } from "#app/waitlist/my-data/friends.server.ts";

/** Someone whose link has brought friends. */
export interface Referrer {
  entryId: number;
  email: string;
  /** Friends who have joined, and how many of them count. Those who were erased since are among them if they had counted. */
  joined: number;
  counted: number;
  /** The milestones that they have reached, by their number of friends: `3, 10`. Null: none. */
  milestones: string | null;
}

const MAX_TOP = 50;

export interface Funnel {
  people: number;
  visits: number;
  joined: number;
  counted: number;
  awaitingReview: number;
}

/** Reads all referrals once, and no entries. */
export async function readFunnel(db: Db): Promise<Funnel> {
  // The unary plus keeps SQLite from walking the index, with a look-up for each row.
  const [found] = await db.all<Funnel & { countedNow: number }>(sql`
    SELECT count(*) AS joined,
      count(*) FILTER (WHERE ruling IN ${countedDecisions}) AS countedNow,
      count(*) FILTER (WHERE ruling = 'one-domain') AS awaitingReview,
      (SELECT count(DISTINCT referrer_id) FROM referrals WHERE referrer_id IS NOT NULL) AS people,
      (SELECT coalesce(sum(counted), 0) FROM referrers) AS counted,
      (SELECT coalesce(sum(counts ->> ${PERSONAL_LINK_PATH}), 0) FROM page_visits) AS visits
    FROM referrals WHERE +referrer_id IS NOT NULL`);
  if (found === undefined) throw new Error("An aggregate has one row");
  const { people, visits, joined, countedNow, counted, awaitingReview } = found;
  return { people, visits, joined: joined + counted - countedNow, counted, awaitingReview };
}

const PERSONAL_LINK_PATH = `$.${VISIT_BY_LINK.join(".")}`;

/** Of people with as many friends who count, so many are compared by how many joined. */
const CANDIDATES = 500;

/** Those who have brought most, by the friends who count, and then by those who joined. */
export async function topReferrers(db: Db): Promise<Referrer[]> {
  const most = sql`SELECT ${referrers.entry_id} AS id, ${referrers.counted} AS counted FROM ${referrers}
    WHERE ${referrers.counted} > 0 ORDER BY counted DESC, id LIMIT ${CANDIDATES}`;
  const order = sql`chosen.counted DESC, joined_now DESC, chosen.id`;
  const top = await referrersOf(
    db,
    sql`SELECT id, counted, ${joinedNow} AS joined_now FROM (${most}) ORDER BY counted DESC, joined_now DESC, id LIMIT ${MAX_TOP}`,
    order,
  );
  if (top.length === MAX_TOP) return top;
  const others = sql`SELECT ${referrals.referrer_id} AS id, 0 AS counted, count(*) AS joined_now FROM ${referrals}
    WHERE ${referrals.referrer_id} IS NOT NULL GROUP BY id
    HAVING NOT EXISTS (SELECT 1 FROM ${referrers} WHERE ${referrers.entry_id} = id AND ${referrers.counted} > 0)
    ORDER BY joined_now DESC, id LIMIT ${MAX_TOP - top.length}`;
  return [...top, ...(await referrersOf(db, others, order))];
}

/** Everyone whose link has brought someone, as CSV, in the order of their entries. */
export function referrerLines(db: Db): AsyncGenerator<string> {
  const readAfter = (last?: Referrer) => {
    const ids = idsAfter(last?.entryId ?? 0);
    const chosen = sql`SELECT id, ${joinedNow} AS joined_now, ${countedOf} AS counted FROM (${ids})`;
    return referrersOf(db, chosen, sql`chosen.id`);
  };
  return pagedCsv(["id", "email", "joined", "counted", "milestones"], readAfter, (referrer) => {
    const { entryId, email, joined, counted, milestones } = referrer;
    return [entryId, email, joined, counted, milestones];
  });
}

/** The next ids of people whose link has brought someone. */
function idsAfter(id: number) {
  return sql`SELECT ${referrals.referrer_id} AS id FROM ${referrals} WHERE ${referrals.referrer_id} > ${id}
    UNION SELECT ${referrers.entry_id} FROM ${referrers} WHERE ${referrers.counted} > 0 AND ${referrers.entry_id} > ${id}
    ORDER BY id LIMIT ${CSV_PAGE}`;
}

const joinedNow = sql`(SELECT count(*) FROM ${referrals} WHERE ${referrals.referrer_id} = id)`;
const countedOf = sql`coalesce((SELECT counted FROM ${referrers} WHERE ${referrers.entry_id} = id), 0)`;

/** @param chosen a query of `id`, `joined_now` and `counted` */
async function referrersOf(db: Db, chosen: SQL, order: SQL): Promise<Referrer[]> {
  const countedNow = sql`(SELECT count(*) FROM ${referrals}
    WHERE ${referrals.referrer_id} = chosen.id AND ${referrals.ruling} IN ${countedDecisions})`;
  const reached = sql`(SELECT group_concat(friends, ', ') FROM
    (SELECT friends FROM ${reachedMilestones} WHERE ${reachedMilestones.entry_id} = chosen.id ORDER BY friends))`;
  return db
    .select({
      entryId: sql<number>`chosen.id`.as("entry_id"),
      email: sql<string>`email`.as("email"),
      joined: sql<number>`joined_now + chosen.counted - ${countedNow}`.as("joined"),
      counted: sql<number>`chosen.counted`.as("counted"),
      milestones: sql<string | null>`${reached}`.as("milestones"),
    })
    .from(sql`(${chosen}) AS chosen JOIN waitlist_emails ON waitlist_emails.id = chosen.id`)
    .orderBy(order);
}
