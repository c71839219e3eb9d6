import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Sign-up metadata that the specification requires as JSON. */
interface SignUpMetadata {
  signup_platform: "web";
  /** ISO 8601, UTC. */
  signup_date: string;
}

export type EntryStatus = "active" | "unsubscribed";

/** `rejoin` asks a former subscriber to confirm a new sign-up. */
export type EmailKind = "welcome" | "rejoin";

/** Why an attempt was blocked, in the order of the abuse checks. */
export type BlockedReason = "body" | "origin" | "honeypot" | "address" | "rate-limited" | "challenge-failed";

export type NotificationKind = "mail-ceiling" | "digest" | "alert";

/** What a counter counts. */
export type CountSubject = "entries" | "source" | "campaign" | "mail";

/** One row per waitlist entry. All times in this schema are milliseconds since 1970. */
export const waitlistEmails = sqliteTable(
  "waitlist_emails",
  {
    // Auto-increment never reuses the id of an erased entry.
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
    // One index per filter and order of the owner's list, so that a page reads only the rows it shows.
    index("waitlist_emails_status_created_at").on(table.status, table.created_at),
    index("waitlist_emails_status_email").on(table.status, table.email),
    index("waitlist_emails_source_created_at").on(table.source, table.status, table.created_at),
    index("waitlist_emails_source_email").on(table.source, table.status, table.email),
    check("waitlist_emails_lower_case", sql`${table.email} = lower(${table.email})`),
  ],
);

/** The email outbox. A row is due if it is not sent, dead or leased and `next_attempt_at` has passed. */
export const emailOutbox = sqliteTable(
  "mail_outbox",
  {
    /** A UUID, the same for all attempts: the idempotency key. */
    id: text().primaryKey(),
    entry_id: integer()
      .notNull()
      .references(() => waitlistEmails.id, { onDelete: "cascade" }),
    kind: text().$type<EmailKind>().notNull(),
    attempts: integer().notNull().default(0),
    next_attempt_at: integer().notNull(),
    /** End of the sender's lease. If the sender dies, the next sweep after that claims the row again. */
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
    // Every claim counts sent and leased emails against the hourly send limit.
    index("mail_outbox_sent").on(table.sent_at).where(sql`${table.sent_at} IS NOT NULL`),
    index("mail_outbox_leased").on(table.leased_until).where(sql`${table.leased_until} > 0`),
  ],
);

/** Notifications to the owner: the latest of each kind, queued until sent or dead, then replaced by the next. */
export const ownerNotifications = sqliteTable("owner_notices", {
  kind: text().$type<NotificationKind>().primaryKey(),
  /** A UUID, the same for all attempts: the idempotency key. */
  id: text().notNull(),
  /** The template's data: numbers, campaign names and reasons; never an email address. */
  facts: text({ mode: "json" }).$type<object>().notNull(),
  /** End of the reported period, exclusive; the next notification starts here. */
  covers_until: integer().notNull(),
  owed_at: integer().notNull(),
  attempts: integer().notNull().default(0),
  next_attempt_at: integer().notNull(),
  leased_until: integer().notNull().default(0),
  sent_at: integer(),
  dead_at: integer(),
  last_error: text(),
});

/** Sign-in links sent to the owner. Tokens are hashed, so read access to the database is not enough to sign in. */
export const ownerSignInTokens = sqliteTable("owner_sign_ins", {
  token_hash: text().primaryKey(),
  mailed_at: integer().notNull(),
  expires_at: integer().notNull(),
  used_at: integer(),
});

/** Sign-ups per quarter of an hour since 1970 (UTC): days of every time zone start on such a quarter. */
export const signUpCounts = sqliteTable("sign_up_counts", {
  quarter: integer().primaryKey(),
  people: integer().notNull(),
});

/**
 * Counters maintained by triggers (see the migration `owner_counts`), so that stats on a million entries need no scan.
 * `entries`: joined and erased in total, active and unsubscribed now. `source` and `campaign`: current entries by name;
 * an empty campaign means none. `mail`: emails sent in total, waiting and dead now.
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
