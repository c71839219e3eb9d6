import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";

/**
 * What became of a referral. It counts if it is `counted`, `accepted` by an owner, or `settled`: its address was not to be
 * confirmed, so that it brings no one to a milestone. `one-domain` awaits review by an owner. All others do not count; `refused` was
 * an owner's choice.
 */
export type ReferralDecision =
  | ("counted" | "settled" | "accepted")
  | "one-domain"
  | ("throwaway" | "own-mailbox" | "known-mailbox" | "left" | "bounced")
  | "refused";

/** Who joined through a personal link, and through whose. Erasing either of the two cuts the tie. */
export const referrals = sqliteTable(
  "referrals",
  {
    entry_id: integer()
      .primaryKey()
      .references(() => waitlistEmails.id, { onDelete: "cascade" }),
    /** Null if the link's code was no one's, or if its person has erased their entry. */
    referrer_id: integer().references(() => waitlistEmails.id, { onDelete: "set null" }),
    /** Null until it is decided. */
    ruling: text().$type<ReferralDecision>(),
    decided_at: integer(),
    /** Keyed hash of the friend's domain if one person may have all its addresses (`private-domain.server.ts`). */
    domain_hash: text(),
    /** Why an owner overruled the decision. */
    note: text(),
  },
  (table) => [
    index("referrals_referrer_id").on(table.referrer_id).where(sql`${table.referrer_id} IS NOT NULL`),
    // For the overview, and for owners who decide many at once.
    index("referrals_awaiting_review")
      .on(table.domain_hash, table.entry_id)
      .where(sql`${table.ruling} = 'one-domain' AND ${table.referrer_id} IS NOT NULL`),
  ],
);

/** How many referrals of an entry have counted. Those of friends who were erased since still do. */
export const referrers = sqliteTable("referrers", {
  entry_id: integer()
    .primaryKey()
    .references(() => waitlistEmails.id, { onDelete: "cascade" }),
  counted: integer().notNull(),
  /** Those of them who bring their person to a milestone. */
  confirmed: integer().notNull().default(0),
});

/** Keyed hashes of private domains, and how many friends with addresses there have counted, for anyone. Kept as long. */
export const referredDomains = sqliteTable("referred_domains", {
  domain_hash: text().primaryKey(),
  counted: integer().notNull(),
  counted_at: integer().notNull(),
});

/** Keyed hashes of the mailboxes that have counted as a friend, so that none counts twice. Kept as long as entries are. */
export const referredMailboxes = sqliteTable("referred_mailboxes", {
  mailbox_hash: text().primaryKey(),
  counted_at: integer().notNull(),
});

/** The milestones that entries have reached. They stay reached. */
export const reachedMilestones = sqliteTable(
  "reached_milestones",
  {
    entry_id: integer()
      .notNull()
      .references(() => waitlistEmails.id, { onDelete: "cascade" }),
    /** How many friends it takes, which identifies the milestone. */
    friends: integer().notNull(),
    reached_at: integer().notNull(),
    rewarded_at: integer(),
  },
  (table) => [primaryKey({ columns: [table.entry_id, table.friends] })],
);
