import { sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { isSuppressed } from "#app/server/db/suppressions.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { isConfirmation } from "#app/waitlist/confirmation/confirmation.server.ts";
import { pioneerColumns } from "#app/waitlist/entries/pioneers.server.ts";

/**
 * Entries by state, in one pass without sorting. Of the active ones, some are unconfirmed; of the others, some are
 * suppressed: their address gets no email. With the numbers of Pioneers.
 */
export function countByStatus(db: Db, now: EpochMillis) {
  const { status } = waitlistEmails;
  return db
    .select({
      active: sql<number>`coalesce(sum(${status} = 'active'), 0)`,
      unconfirmed: sql<number>`coalesce(sum(${status} = 'active' AND ${isConfirmation.unconfirmed}), 0)`,
      suppressed: sql<number>`coalesce(sum(${status} = 'active' AND NOT ${isConfirmation.unconfirmed} AND ${isSuppressed(now)}), 0)`,
      unsubscribed: sql<number>`coalesce(sum(${status} = 'unsubscribed'), 0)`,
      ...pioneerColumns,
    })
    .from(waitlistEmails);
}

/** Sign-ups in each period (`until` exclusive), in the given order. */
export function joinedBetween(db: Db, periods: { from: EpochMillis; until: EpochMillis }[]) {
  const bounds = JSON.stringify(periods.map(({ from, until }) => [from, until]));
  const people = db
    .select({ count: sql`count(*)` })
    .from(waitlistEmails)
    .where(sql`${waitlistEmails.created_at} >= value ->> 0 AND ${waitlistEmails.created_at} < value ->> 1`);
  return db
    .select({ people: sql<number>`(${people})` })
    .from(sql`json_each(${bounds})`)
    .orderBy(sql`key`);
}
