import { and, desc, eq, inArray, isNotNull, notInArray, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { acceptStatements } from "#app/features/referrals/decide.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { type ReferralDecision, referrals, referrers } from "#app/server/db/schema/referrals.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import type { Milestone } from "#app/site.ts";
import { countedDecisions } from "#app/waitlist/my-data/friends.server.ts";

/** A friend who joined through someone's link, and what became of that. */
export interface Referral {
  /** The friend's entry. */
  entryId: number;
  email: string;
  referrerId: number;
  referrerEmail: string;
  /** Null until it is made. */
  decision: ReferralDecision | null;
  note: string | null;
}

/** `to-check`: those that do not count, first those that await review by an owner. */
export type ReferralList = "to-check" | "counted";

const PAGE_SIZE = 25;

/** Whose link brought them, and the hash of their domain; null for any. */
export interface ReferralFilter {
  of: number | null;
  domain: string | null;
}

/** A page of referrals, from 1 on. */
export async function listReferrals(
  db: Db,
  list: ReferralList,
  page: number,
  { of, domain }: ReferralFilter = { of: null, domain: null },
): Promise<{ referrals: Referral[]; hasNext: boolean }> {
  const { entry_id, ruling } = referrals;
  const isListed = list === "counted" ? inArray(ruling, countedDecisions) : notInArray(ruling, countedDecisions);
  const awaitsReview = sql`${ruling} = 'one-domain'`;
  const chosen = db
    .select({ entry_id })
    .from(referrals)
    // The unary plus keeps SQLite from walking the index of referrers, with a look-up for each row.
    .where(
      and(
        isListed,
        of === null ? sql`+${referrals.referrer_id} IS NOT NULL` : eq(referrals.referrer_id, of),
        domain === null ? undefined : eq(referrals.domain_hash, domain),
      ),
    )
    .orderBy(...(list === "counted" ? [] : [desc(awaitsReview)]), desc(entry_id))
    .limit(PAGE_SIZE + 1)
    .offset(PAGE_SIZE * (page - 1));
  const found = await withAddresses(db).where(inArray(entry_id, chosen)).orderBy(desc(awaitsReview), desc(entry_id));
  return { referrals: found.slice(0, PAGE_SIZE), hasNext: found.length > PAGE_SIZE };
}

/** How someone joined through a link; null if they did not, or if its person has erased their entry. */
export async function findReferral(db: Db, entryId: number): Promise<Referral | null> {
  const [found] = await withAddresses(db).where(eq(referrals.entry_id, entryId));
  return found ?? null;
}

function withAddresses(db: Db) {
  const referrer = alias(waitlistEmails, "referrer");
  const { entry_id, ruling, note } = referrals;
  return db
    .select({
      entryId: entry_id,
      email: waitlistEmails.email,
      referrerId: referrer.id,
      referrerEmail: referrer.email,
      decision: ruling,
      note,
    })
    .from(referrals)
    .innerJoin(waitlistEmails, eq(waitlistEmails.id, entry_id))
    .innerJoin(referrer, eq(referrer.id, referrals.referrer_id))
    .$dynamic();
}

interface OwnDecision {
  entryId: number;
  note: string | null;
  now: EpochMillis;
}

/**
 * Counts a referral that does not count, once.
 *
 * @param milestones none where addresses are not confirmed
 * @returns whether anything changed
 */
export async function acceptReferral(
  db: Db,
  { entryId, note, now }: OwnDecision,
  milestones: readonly Milestone[],
): Promise<boolean> {
  const { entry_id, referrer_id, ruling } = referrals;
  const doesNotCount = and(eq(entry_id, entryId), isNotNull(referrer_id), notInArray(ruling, countedDecisions));
  const friends = sql`SELECT entry_id FROM referrals WHERE ${doesNotCount}`;
  const accept = overrule(db, friends, "accepted", { note, now });
  const [, , , , , accepted] = await db.batch([...acceptStatements(db, friends, now, milestones), accept]);
  return accepted.length > 0;
}

/** The statement that records an owner's decision. @param friends a query of their entries' ids */
export function overrule(
  db: Db,
  friends: SQL,
  ruling: "accepted" | "refused",
  { note, now }: Pick<OwnDecision, "note" | "now">,
) {
  return db
    .update(referrals)
    .set({ ruling, decided_at: now, note })
    .where(sql`${referrals.entry_id} IN (${friends})`)
    .returning({ entry_id: referrals.entry_id });
}

/** Refuses one that counts, or that awaits review. Milestones that it helped to reach stay. @returns whether anything changed */
export async function refuseReferral(db: Db, { entryId, note, now }: OwnDecision): Promise<boolean> {
  const { entry_id, referrer_id, ruling } = referrals;
  const counted = db
    .select({ referrer_id })
    .from(referrals)
    .where(and(eq(entry_id, entryId), inArray(ruling, countedDecisions)));
  const lower = db
    .update(referrers)
    .set({
      counted: sql`${referrers.counted} - 1`,
      confirmed: sql`${referrers.confirmed} - (SELECT ruling <> 'settled' FROM referrals WHERE entry_id = ${entryId})`,
    })
    .where(inArray(referrers.entry_id, counted));
  const refuse = db
    .update(referrals)
    .set({ ruling: "refused", decided_at: now, note })
    .where(and(eq(entry_id, entryId), isNotNull(referrer_id), inArray(ruling, [...countedDecisions, "one-domain"])))
    .returning({ entry_id });
  const [, refused] = await db.batch([lower, refuse]);
  return refused.length > 0;
}
