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
export type MailKind = "welcome" | "rejoin";

/** Why the gate turned a try away, in the order in which it looks. */
export type BlockedReason = "body" | "origin" | "honeypot" | "address" | "rate-limited" | "challenge-failed";

/** What the owner is told about. */
export type NoticeKind = "mail-ceiling";

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
    check("waitlist_emails_lower_case", sql`${table.email} = lower(${table.email})`),
  ],
);

/** Mail that is owed. A row is due when it is neither sent nor dead and both its times have passed. */
export const mailOutbox = sqliteTable(
  "mail_outbox",
  {
    /** A UUID, stable over all tries of one mail. */
    id: text().primaryKey(),
    entry_id: integer()
      .notNull()
      .references(() => waitlistEmails.id, { onDelete: "cascade" }),
    kind: text().$type<MailKind>().notNull(),
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
    // Both count against the ceiling of mails an hour, at every claim.
    index("mail_outbox_sent").on(table.sent_at).where(sql`${table.sent_at} IS NOT NULL`),
    index("mail_outbox_leased").on(table.leased_until).where(sql`${table.leased_until} > 0`),
  ],
);

/** When the owner was last told about something, so that they are told once and not all the time. */
export const ownerNotices = sqliteTable("owner_notices", {
  kind: text().$type<NoticeKind>().primaryKey(),
  sent_at: integer().notNull(),
});

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
