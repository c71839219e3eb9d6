import { and, count, sql } from "drizzle-orm";
import { isDue, isOnly, isWanted } from "#app/email/outbox.server.ts";
import { BOUNCE_HOLD, isHeld } from "#app/email/pauses.server.ts";
import { hasPriority, type Only, quotas, toUnverified, toVerified, usedWithinHour } from "#app/email/quotas.server.ts";
import { isFirstRunOfHour } from "#app/server/calendar.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";

interface Waiting {
  now: number;
  /** The send limit. */
  perHour: number;
  only?: Only;
}

/** While so many emails wait, sweeps record it once an hour, since that reads all of them. */
const MANY = 500;

/** How many emails wait for the send limit, and how many only for the half of it that unverified sign-ups get. */
export interface WaitingEmails {
  limit: number;
  brake: number;
}

/**
 * Records that due emails wait for the send limit, for the share of it that unverified sign-ups get, or because too many
 * bounced. This uses up no attempt.
 */
export async function recordWaiting(db: Db, { now, perHour, only }: Waiting): Promise<WaitingEmails> {
  const { all, unverified } = quotas(sql`used`, { now, perHour });
  const due = db
    .select({ id: emailOutbox.id })
    .from(emailOutbox)
    .where(and(hasPriority([...toVerified, ...toUnverified]), isDue(now)))
    .limit(MANY);
  const [state] = await db.all<Record<"all" | "unverified" | "held" | "due", number>>(
    sql`WITH used AS MATERIALIZED ${usedWithinHour(db, now)}
      SELECT ${all} AS "all", ${unverified} AS unverified, ${isHeld} AS held,
        ${only === undefined ? sql`(SELECT count(*) FROM ${due})` : 0} AS due`,
  );
  const isFull = (state?.all ?? 0) <= 0;
  const isBraked = (state?.unverified ?? 0) <= 0;
  const isPutOff = (state?.due ?? 0) >= MANY && !isFirstRunOfHour(now);
  if ((!isFull && !isBraked) || isPutOff) return { limit: 0, brake: 0 };
  const held = state?.held === 1;
  // Emails to imported people were queued with their reason, so that a long queue is not written again.
  const waits = (priorities: number[]) => and(hasPriority(priorities, only), isDue(now), isWanted, isOnly(db, only));
  const limits: EmailReason[] = ["send-limit", "unverified-limit"];
  const isUnverified = hasPriority(toUnverified, only);
  const reason = sql`iif(${isUnverified}, ${held ? BOUNCE_HOLD : isFull ? "send-limit" : "unverified-limit"}, 'send-limit')`;
  // Whichever limit an email waits for is recorded once: they take turns within each hour.
  const known = held
    ? sql`iif(${isUnverified}, reason = ${BOUNCE_HOLD}, reason IN ${limits})`
    : sql`reason IN ${limits}`;
  const record = db
    .update(emailOutbox)
    .set({ reason })
    .where(and(waits(isFull ? [...toVerified, ...toUnverified] : toUnverified), sql`NOT coalesce(${known}, false)`));
  const counted = isFull ? [...toVerified, ...(held ? [] : toUnverified)] : held ? [] : toUnverified;
  const counting = db.select({ emails: count() }).from(emailOutbox).where(waits(counted));
  const [, [waiting]] = await db.batch([record, counting]);
  const emails = waiting?.emails ?? 0;
  return isFull ? { limit: emails, brake: 0 } : { limit: 0, brake: emails };
}
