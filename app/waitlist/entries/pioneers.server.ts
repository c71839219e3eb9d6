import { eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { storedStats } from "#app/server/db/schema/statistics.server.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";
import { site } from "#app/site.ts";
import { isConfirmation } from "#app/waitlist/confirmation/confirmation.server.ts";
import { askedQuestions } from "#app/waitlist/questions/questions.server.ts";
import { isFollowUpOn } from "#app/waitlist/sign-up/shown-wording.server.ts";

/** The stored numbers that visitors may read. Erasures leave them: they name no one, as the other stored stats may. */
export const PIONEERS_KEY = "pioneers";

/** Visitors are not told a smaller number: of all Pioneers, and of one side of the market. */
const LEAST = 100;
const LEAST_OF_SIDE = 20;

/** The sides of the market, which are also answers to the question `role`. The answer `both` counts for each. */
const SIDES = ["host", "stallholder"] as const;

/** The age from which {@link renewPioneers} counts again. */
const MAX_AGE: Millis = 24 * 3_600_000;

/** How many entries it reads at most: of the free plan's rows read, 2 % of a day. */
export const MAX_COUNTED = 100_000;

/** How many Pioneers there are, and how many of each side. */
export type PioneerCounts = Record<"count" | (typeof SIDES)[number], number>;

const isPioneer = sql`${waitlistEmails.status} = 'active' AND NOT ${isConfirmation.unconfirmed}`;

/** The columns of {@link PioneerCounts} in a query that aggregates entries: those who need not confirm their address any more. */
export const pioneerColumns = {
  count: howMany(isPioneer),
  host: howMany(sql`${isPioneer} AND ${isOn("host")}`),
  stallholder: howMany(sql`${isPioneer} AND ${isOn("stallholder")}`),
};

function isOn(side: (typeof SIDES)[number]): SQL {
  return sql`${waitlistEmails.answers} ->> 'role' IN (${sql.raw(`'${side}', 'both'`)})`;
}

function howMany(condition: SQL) {
  return sql<number>`coalesce(sum(${condition}), 0)`;
}

/** As visitors read it: `150+`, and of it `60+ hosts`. */
export interface ShownPioneers {
  total: string;
  /** Those sides that are large enough to be told. */
  sides: string[];
}

/**
 * What the landing page shows of the list, in one query: how many Pioneers there are (null if they are too few, or have not
 * been counted), and whether a follow-up is switched on.
 */
export async function readPioneers(db: Db): Promise<{ pioneers: ShownPioneers | null; hasFollowUps: boolean }> {
  const { value, key } = storedStats;
  const { stored, isOn } = await db.get<{ stored: string | null; isOn: number }>(sql`
    SELECT (SELECT ${value} FROM ${storedStats} WHERE ${key} = ${PIONEERS_KEY}) AS stored, ${isFollowUpOn} AS isOn`);
  const counts: Partial<PioneerCounts> = JSON.parse(stored ?? "{}");
  const total = atLeast(counts.count ?? 0, LEAST);
  return { pioneers: total === null ? null : { total, sides: shownSides(counts) }, hasFollowUps: isOn === 1 };
}

/** None where the question `role` is not asked, or has other answers. */
function shownSides(counts: Partial<PioneerCounts>): string[] {
  const answers = askedQuestions().find(({ key }) => key === "role")?.answers ?? {};
  if (!SIDES.every((side) => Object.hasOwn(answers, side))) return [];
  return SIDES.flatMap((side) => {
    const number = atLeast(counts[side] ?? 0, LEAST_OF_SIDE);
    return number === null ? [] : [`${number} ${site[side].many}`];
  });
}

/** Rounded down to tens, and from 100 on to half of the leading place: `60+`, `150+`, `1,500+`. Null below the least number. */
export function atLeast(count: number, least: number): string | null {
  if (count < least) return null;
  const unit = Math.max(10, 10 ** (String(count).length - 1) / 2);
  return `${(count - (count % unit)).toLocaleString("en-GB")}+`;
}

/**
 * Counts the Pioneers again if that was more than a day ago, or never. In a list that is too long to count, the numbers
 * only grow, until an owner's overview counts all of it.
 */
export async function renewPioneers(db: Db, now: EpochMillis): Promise<void> {
  const [stored] = await db.select().from(storedStats).where(eq(storedStats.key, PIONEERS_KEY));
  if (stored !== undefined && now - stored.computed_at <= MAX_AGE) return;
  const entries = db.select().from(waitlistEmails).limit(MAX_COUNTED).as("waitlist_emails");
  const [counted] = await db.select({ read: sql<number>`count(*)`, ...pioneerColumns }).from(entries);
  const { read = 0, ...counts } = counted ?? { count: 0, host: 0, stallholder: 0 };
  const before: Partial<PioneerCounts> = read < MAX_COUNTED ? {} : (stored?.value ?? {});
  const value: PioneerCounts = {
    count: Math.max(counts.count, before.count ?? 0),
    host: Math.max(counts.host, before.host ?? 0),
    stallholder: Math.max(counts.stallholder, before.stallholder ?? 0),
  };
  const row = { value, computed_at: now };
  await db
    .insert(storedStats)
    .values({ key: PIONEERS_KEY, ...row })
    .onConflictDoUpdate({ target: storedStats.key, set: row });
}
