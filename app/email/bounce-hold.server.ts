import { and, count, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import { eventLimits, exceeds } from "#app/email/event-limits.ts";
import { BOUNCE_HOLD, isHeld, UNTIL_RELEASED } from "#app/email/pauses.server.ts";
import { toUnverified, toVerified } from "#app/email/quotas.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import { emailOutbox, emailPauses } from "#app/server/db/schema/email.server.ts";

/**
 * Too many bounces of sign-up emails hold those to unverified sign-ups until the owner releases them: a row of
 * `email_pauses` that does not end by itself. Others go on.
 */

/** Bounces and emails of this time are counted (milliseconds). */
const PERIOD = 24 * 3_600_000;

/**
 * The statement that begins a hold if too many sign-up emails have bounced within {@link PERIOD}, or since the owner
 * released the last hold.
 */
export function holdIfTooMany(db: Db, now: number) {
  const released = sql`(SELECT email_pauses.until FROM email_pauses WHERE email_pauses.reason = ${BOUNCE_HOLD})`;
  const since = sql`max(${now - PERIOD}, coalesce(${released}, 0))`;
  const isToSignUp = inArray(emailOutbox.priority, [...toVerified, ...toUnverified]);
  const emails = (condition: SQL | undefined) =>
    sql`${db.select({ emails: count() }).from(emailOutbox).where(and(condition, isToSignUp))}`;
  const refused = eq(emailOutbox.reason, "address-refused" satisfies EmailReason);
  const bounced = emails(and(gt(emailOutbox.dead_at, since), refused));
  const sent = emails(gt(emailOutbox.sent_at, since));
  const isTooMany = exceeds(eventLimits.bounces, bounced, sql`(${sent} + ${bounced})`);
  return db
    .insert(emailPauses)
    .select(
      sql`SELECT ${BOUNCE_HOLD}, ${UNTIL_RELEASED}, ${now} WHERE CASE WHEN ${isHeld} THEN false ELSE ${isTooMany} END`,
    )
    .onConflictDoUpdate({
      target: emailPauses.reason,
      set: { until: sql`excluded.until`, created_at: sql`excluded.created_at` },
    });
}

/** Releases what is held; bounces are counted from now on. @returns whether anything changed */
export async function releaseHold(db: Db, now: number): Promise<boolean> {
  const { reason, until } = emailPauses;
  const released = await db
    .update(emailPauses)
    .set({ until: now })
    .where(and(eq(reason, BOUNCE_HOLD), eq(until, UNTIL_RELEASED)))
    .returning({ reason });
  return released.length > 0;
}

/** The query for when the current hold began; no row if there is none. */
export function holdBeginning(db: Db) {
  const { reason, until, created_at } = emailPauses;
  return db
    .select({ heldSince: created_at })
    .from(emailPauses)
    .where(and(eq(reason, BOUNCE_HOLD), eq(until, UNTIL_RELEASED)));
}
