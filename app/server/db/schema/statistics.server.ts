import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Why an attempt was blocked, in the order of the abuse checks. `sign-in` is a request for an owner's sign-in link, over
 * any of its limits.
 */
export type BlockedReason =
  | ("body" | "origin" | "honeypot" | "address" | "rate-limited" | "challenge-failed")
  | "sign-in";

/** Aggregated statistics, stored because computing them scans the whole list. */
export const storedStats = sqliteTable("stats", {
  key: text().primaryKey(),
  value: text({ mode: "json" }).$type<object>().notNull(),
  computed_at: integer().notNull(),
});

/** Blocked attempts by reason and day (UTC, `YYYY-MM-DD`), without addresses or clients. */
export const blockedAttempts = sqliteTable(
  "blocked_attempts",
  {
    day: text().notNull(),
    reason: text().$type<BlockedReason>().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.reason] })],
);

/**
 * What visits are counted by. `link` is source and campaign together, such as `newsletter > autumn_fair`, or a source alone.
 * `via` has one name, for personal links: whose link it was is not kept.
 */
export type VisitKind = "page" | "utm_source" | "utm_campaign" | "link" | "referrer_host" | "via";

export type VisitCounts = { [Kind in VisitKind]?: Record<string, number> };

/**
 * Visits on each day (of the owner's time zone, `YYYY-MM-DD`). All counts of a day are one row, so that a write costs one
 * row however many names visitors send; and each kind is counted by itself, so that no row describes a single visit.
 */
export const pageVisits = sqliteTable("page_visits", {
  day: text().primaryKey(),
  counts: text({ mode: "json" }).$type<VisitCounts>().notNull(),
  /** How many names each kind has, apart from all others. */
  names: text({ mode: "json" }).$type<{ [Kind in VisitKind]?: number }>().notNull().default({}),
  /** How often its names were ranked. */
  rankings: integer().notNull().default(0),
});
