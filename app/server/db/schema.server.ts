import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** What the specification keeps about a sign-up beside its columns. */
interface SignUpMetadata {
  signup_platform: "web";
  /** ISO 8601, UTC. */
  signup_date: string;
}

export type EntryStatus = "active" | "unsubscribed";

/** `rejoin` asks somebody who had unsubscribed whether the new sign-up was theirs. */
export type EmailKind = "welcome" | "rejoin";

/** Why the gate turned a try away, in the order in which it looks. */
export type BlockedReason = "body" | "origin" | "honeypot" | "address" | "rate-limited" | "challenge-failed";

/** What the owner is told about. */
export type NotificationKind = "mail-ceiling" | "digest" | "alert";

/** Whose numbers a counter holds. */
export type CountSubject = "entries" | "source" | "campaign" | "mail";

/** One row for each person on the waitlist. `created_at` is milliseconds since 1970, as every time here. */
export const waitlistEmails = sqliteTable(
  "waitlist_emails",
  {
    // Never reused: an erased person's id must not come to mean somebody else.
    id: integer().primaryKey({ autoIncrement: true }),
    email: text().notNull().unique("waitlist_emails_email"),
    source: text().notNull().default("landing_page"),
    status: text().$type<EntryStatus>().notNull().default("active"),
    early_adopter: integer({ mode: "boolean" }).notNull().default(true),
    metadata: text({ mode: "json" }).$type<SignUpMetadata>().notNull(),
    utm_source: text(),
    utm_medium: text(),
    utm_campaign: text(),
    utm_term: text(),
    utm_content: text(),
    referrer_host: text(),
    created_at: integer().notNull(),
    unsubscribed_at: integer(),
  },
  (table) => [
    index("waitlist_emails_created_at").on(table.created_at),
    // The owner's list: one index for each of its filters and orders, so that no page of it reads what it does not show.
    index("waitlist_emails_status_created_at").on(table.status, table.created_at),
    index("waitlist_emails_status_email").on(table.status, table.email),
    index("waitlist_emails_source_created_at").on(table.source, table.status, table.created_at),
    index("waitlist_emails_source_email").on(table.source, table.status, table.email),
    check("waitlist_emails_lower_case", sql`${table.email} = lower(${table.email})`),
  ],
);

/** Mail that is owed. A row is due when it is neither sent nor dead and both its times have passed. */
export const emailOutbox = sqliteTable(
  "mail_outbox",
  {
    /** A UUID, stable over all tries of one mail. */
    id: text().primaryKey(),
    entry_id: integer()
      .notNull()
      .references(() => waitlistEmails.id, { onDelete: "cascade" }),
    kind: text().$type<EmailKind>().notNull(),
    attempts: integer().notNull().default(0),
    next_attempt_at: integer().notNull(),
    /** Whoever claimed the row holds it until then; a sender that died leaves it to the next sweep. */
    leased_until: integer().notNull().default(0),
    sent_at: integer(),
    dead_at: integer(),
    last_error: text(),
    created_at: integer().notNull(),
  },
  (table) => [
    uniqueIndex("mail_outbox_entry_kind").on(table.entry_id, table.kind),
    index("mail_outbox_due")
      .on(table.next_attempt_at)
      .where(sql`${table.sent_at} IS NULL AND ${table.dead_at} IS NULL`),
    index("mail_outbox_dead").on(table.dead_at).where(sql`${table.dead_at} IS NOT NULL`),
    // Both count against the ceiling of mails an hour, at every claim.
    index("mail_outbox_sent").on(table.sent_at).where(sql`${table.sent_at} IS NOT NULL`),
    index("mail_outbox_leased").on(table.leased_until).where(sql`${table.leased_until} > 0`),
  ],
);

/**
 * The owner's own mail: one row for each kind, which is the newest notice of that kind. It is owed until it is sent or
 * dead; a newer notice then takes its place.
 */
export const ownerNotifications = sqliteTable("owner_notices", {
  kind: text().$type<NotificationKind>().primaryKey(),
  /** A UUID, stable over all tries of one notice. */
  id: text().notNull(),
  /** What the notice tells: numbers, names of campaigns and reasons; never an address. */
  facts: text({ mode: "json" }).$type<object>().notNull(),
  /** The notice speaks of what happened before this moment; the next one begins there. */
  covers_until: integer().notNull(),
  owed_at: integer().notNull(),
  attempts: integer().notNull().default(0),
  next_attempt_at: integer().notNull(),
  leased_until: integer().notNull().default(0),
  sent_at: integer(),
  dead_at: integer(),
  last_error: text(),
});

/** Links that let the owner sign in: hashes of their tokens, since whoever reads the database must not sign in. */
export const ownerSignInTokens = sqliteTable("owner_sign_ins", {
  token_hash: text().primaryKey(),
  mailed_at: integer().notNull(),
  expires_at: integer().notNull(),
  used_at: integer(),
});

/** How many joined in each quarter of an hour since 1970 (UTC), which every time zone's days are made of. */
export const signUpCounts = sqliteTable("sign_up_counts", {
  quarter: integer().primaryKey(),
  people: integer().notNull(),
});

/**
 * Counters that triggers keep (see the migration `owner_counts`), so that figures about a million entries are read and
 * not counted. `entries`: joined and erased so far, active and unsubscribed now. `source` and `campaign`: entries kept,
 * by name; an empty campaign is none. `mail`: sent so far, waiting and dead now.
 */
export const counts = sqliteTable(
  "counts",
  {
    subject: text().$type<CountSubject>().notNull(),
    name: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.subject, table.name] }),
    index("counts_largest").on(table.subject, table.count),
  ],
);

/** How many tries the gate turned away, by reason and day (UTC, `YYYY-MM-DD`). Nothing here tells whose. */
export const blockedAttempts = sqliteTable(
  "blocked_attempts",
  {
    day: text().notNull(),
    reason: text().$type<BlockedReason>().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.reason] })],
);
