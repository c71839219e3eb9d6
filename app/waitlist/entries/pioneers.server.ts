import { eq, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { storedStats } from "#app/server/db/schema/statistics.server.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";
import { isConfirmation } from "#app/waitlist/confirmation/confirmation.server.ts";
import { isFollowUpOn } from "#app/waitlist/sign-up/shown-wording.server.ts";

/** The stored number that visitors may read. Erasures leave it: it names no one, as the other stored stats may. */
export const PIONEERS_KEY = "pioneers";

/** Visitors are not told a smaller number. */
const LEAST = 100;

/** The age from which {@link renewPioneers} counts again. */
const MAX_AGE: Millis = 24 * 3_600_000;

/** How many entries it reads at most: of the free plan's rows read, 2 % of a day. */
export const MAX_COUNTED = 100_000;

/** Those on the waitlist who need not confirm their address any more, to be stored. */
export function countPioneers({ canGetEmail, suppressed }: { canGetEmail: number; suppressed: number }): object {
  return { count: canGetEmail + suppressed };
}

/**
 * What the landing page shows of the list, in one query: how many Pioneers there are, as visitors read it (null if they are
 * too few, or have not been counted), and whether a follow-up is switched on.
 */
export async function readPioneers(db: Db): Promise<{ pioneers: string | null; hasFollowUps: boolean }> {
  const { value, key } = storedStats;
  const { count, isOn } = await db.get<{ count: number | null; isOn: number }>(sql`
    SELECT (SELECT ${value} ->> 'count' FROM ${storedStats} WHERE ${key} = ${PIONEERS_KEY}) AS count, ${isFollowUpOn} AS isOn`);
  return { pioneers: atLeast(count ?? 0), hasFollowUps: isOn === 1 };
}

/** Rounded down to half of its leading place: `100+`, `150+`, `1,500+`. Null below {@link LEAST}. */
export function atLeast(count: number): string | null {
  if (count < LEAST) return null;
  const unit = 10 ** (String(count).length - 1) / 2;
  return `${(count - (count % unit)).toLocaleString("en-GB")}+`;
}

/**
 * Counts the Pioneers again if that was more than a day ago, or never. In a list that is too long to count, the number
 * only grows, until an owner's overview counts all of it.
 */
export async function renewPioneers(db: Db, now: EpochMillis): Promise<void> {
  const [stored] = await db.select().from(storedStats).where(eq(storedStats.key, PIONEERS_KEY));
  if (stored !== undefined && now - stored.computed_at <= MAX_AGE) return;
  const { status } = waitlistEmails;
  const entries = db.select().from(waitlistEmails).limit(MAX_COUNTED).as("waitlist_emails");
  const [counted] = await db
    .select({
      read: sql<number>`count(*)`,
      pioneers: sql<number>`coalesce(sum(${status} = 'active' AND NOT ${isConfirmation.unconfirmed}), 0)`,
    })
    .from(entries);
  const { read = 0, pioneers = 0 } = counted ?? {};
  const before = (stored?.value as { count: number } | undefined)?.count ?? 0;
  const count = read < MAX_COUNTED ? pioneers : Math.max(pioneers, before);
  const row = { value: { count }, computed_at: now };
  await db
    .insert(storedStats)
    .values({ key: PIONEERS_KEY, ...row })
    .onConflictDoUpdate({ target: storedStats.key, set: row });
}
