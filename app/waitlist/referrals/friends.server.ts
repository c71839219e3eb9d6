import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { type Ruling, referrals, referrers } from "#app/waitlist/referrals/schema.server.ts";

/** Rulings with which a referral counts. */
export const countedRulings: Ruling[] = ["counted", "accepted"];

/** How many friends someone has brought, and who of them counts. */
export interface Friends {
  joined: number;
  counted: number;
}

/** The friends of an entry. Those who were erased since are among them if they had counted. */
export async function readFriends(db: Db, entryId: number): Promise<Friends> {
  const { referrer_id, ruling } = referrals;
  const [[now], [stored]] = await db.batch([
    db
      .select({
        joined: sql<number>`count(*)`,
        counted: sql<number>`count(*) FILTER (WHERE ${inArray(ruling, countedRulings)})`,
      })
      .from(referrals)
      .where(eq(referrer_id, entryId)),
    db.select({ counted: referrers.counted }).from(referrers).where(eq(referrers.entry_id, entryId)),
  ]);
  const counted = stored?.counted ?? 0;
  return { joined: (now?.joined ?? 0) + counted - (now?.counted ?? 0), counted };
}

/** What is stored about an entry that joined through someone's personal link, but for whose; null if it did not. */
export async function findOwnReferral(
  db: Db,
  entryId: number,
): Promise<{ counts: boolean; note: string | null } | null> {
  const { entry_id, referrer_id, ruling, note } = referrals;
  const [found] = await db
    .select({ ruling, note })
    .from(referrals)
    .where(and(eq(entry_id, entryId), isNotNull(referrer_id)));
  if (found === undefined) return null;
  return { counts: found.ruling !== null && countedRulings.includes(found.ruling), note: found.note };
}
