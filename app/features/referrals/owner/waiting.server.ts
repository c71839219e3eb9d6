import { and, gte, inArray, sql } from "drizzle-orm";
import { acceptStatements } from "#app/features/referrals/decide.server.ts";
import { overrule } from "#app/features/referrals/owner/referrals.server.ts";
import { counted } from "#app/owner/ui/labels.ts";
import type { AttentionItem, OwnerContext } from "#app/owner/ui/owner-context.ts";
import type { PlanLimits } from "#app/server/config/plan-limits.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { ownerLog } from "#app/server/db/schema/owner.server.ts";
import { referrals } from "#app/server/db/schema/referrals.server.ts";
import { utcDay } from "#app/server/time/calendar.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import type { Milestone } from "#app/site.ts";

/** Friends at one domain who wait for an owner. */
export interface WaitingDomain {
  /** The hash of the domain. */
  domain: string;
  friends: number;
  /** Whose links brought them. */
  people: number;
  /** The address of one of them. */
  example: string;
}

/** In the words of the index, which nothing else would use. */
const isWaiting = sql`ruling = 'one-domain' AND referrer_id IS NOT NULL`;

/** The domains at which most friends wait, those with most first, or a single one. Reads all friends who wait. */
export async function waitingDomains(db: Db, { domain, limit }: { domain: string | null; limit: number }) {
  const ofDomain = domain === null ? sql`` : sql`AND domain_hash = ${domain}`;
  return db.all<WaitingDomain>(sql`
    SELECT domain_hash AS domain, count(*) AS friends, count(DISTINCT referrer_id) AS people, min(email) AS example
    FROM referrals JOIN waitlist_emails ON waitlist_emails.id = entry_id
    WHERE ${isWaiting} ${ofDomain} GROUP BY domain_hash ORDER BY friends DESC, example LIMIT ${limit}`);
}

/** Friends who are decided together: D1 runs one statement at a time, and sign-ups wait for it. */
const CHUNK = 500;

/** Chunks that one press decides. Others wait for the next one. */
const MAX_CHUNKS = 10;

/** Records that a decision changes: the referral, its person's number, the mailbox, the domain's number and a milestone. */
const RECORDS = 5;

interface ManyDecisions {
  intent: "accept" | "refuse";
  /** The hash of a domain; null for all who wait. */
  domain: string | null;
  /** When the owner was shown them: friends who wait since are left alone. */
  seen: EpochMillis;
  note: string | null;
  /** The address of the owner, for the log. */
  by: string;
}

/**
 * Accepts or refuses friends who wait. A chunk is one transaction with its line in the log, so that a kill leaves the others
 * waiting, and none is counted twice.
 *
 * @param milestones none where addresses are not confirmed
 * @returns how many friends were decided, and why others were not: one press decides no more, or the plan allows no more today
 */
export async function decideWaiting(
  { db, now, plan }: { db: Db; now: () => EpochMillis; plan: Pick<PlanLimits, "changedRecordsADay"> },
  { intent, domain, seen, note, by }: ManyDecisions,
  milestones: readonly Milestone[],
): Promise<{ decided: number; left?: "press" | "day" }> {
  const ofDay = Math.floor(plan.changedRecordsADay / RECORDS);
  const today = ofDay - (await decidedToday(db, now()));
  const most = Math.min(today, CHUNK * MAX_CHUNKS);
  const isMeant = sql`${isWaiting} AND decided_at <= ${seen} ${domain === null ? sql`` : sql`AND domain_hash = ${domain}`}`;
  let decided = 0;
  while (decided < most) {
    const limit = Math.min(CHUNK, most - decided);
    const friends = sql`SELECT entry_id FROM referrals WHERE ${isMeant} ORDER BY domain_hash, entry_id LIMIT ${limit}`;
    const time = now();
    const log = db
      .insert(ownerLog)
      .select(
        sql`SELECT NULL, ${by}, ${`${intent}-referrals`}, json_object('friends', count(*)), ${time}
          FROM (${friends}) HAVING count(*) > 0`,
      )
      .returning({ details: ownerLog.details });
    const effects = intent === "accept" ? acceptStatements(db, friends, time, milestones) : ([] as const);
    const decide = overrule(db, friends, intent === "accept" ? "accepted" : "refused", { note, now: time });
    const [[logged]] = await db.batch([log, ...effects, decide]);
    const changed = Number(logged?.details["friends"] ?? 0);
    decided += changed;
    if (changed < limit) return { decided };
  }
  const [other] = await db.all(sql`SELECT 1 FROM referrals WHERE ${isMeant} LIMIT 1`);
  return { decided, ...(other === undefined ? {} : { left: most === today ? "day" : "press" }) };
}

/** How many friends owners have decided about today (UTC). Reads all referrals. */
async function decidedToday(db: Db, now: EpochMillis): Promise<number> {
  const isOwners = inArray(referrals.ruling, ["accepted", "refused"]);
  return db.$count(referrals, and(isOwners, gte(referrals.decided_at, Date.parse(utcDay(now)))));
}

/** The friends who wait, for the overview. Reads their part of the index. */
export async function friendsInNeed(c: OwnerContext): Promise<AttentionItem[]> {
  const [found] = await c.var.app.db.all<{ friends: number; domains: number }>(
    sql`SELECT count(*) AS friends, count(DISTINCT domain_hash) AS domains FROM referrals WHERE ${isWaiting}`,
  );
  if (found === undefined || found.friends === 0) return [];
  const friends = counted(found.friends, "friend", "friends");
  const domains = counted(found.domains, "domain", "domains");
  return [
    {
      text: `${friends} at ${domains} ${found.friends === 1 ? "waits" : "wait"} for your decision.`,
      action: { label: "Decide", about: "about friends", href: "/owner/referrals#check" },
    },
  ];
}
