import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Sign-up metadata that the specification requires as JSON. */
interface SignUpMetadata {
  signup_platform: "web" | "import" | "owner";
  /** ISO 8601, UTC. */
  signup_date: string;
}

export type EntryStatus = "active" | "unsubscribed";

/** `import`: an imported file says that someone who was on the list has opted out elsewhere. */
export type UnsubscribeReason = "own-choice" | "complaint" | "bounce" | "owner" | "import";

/** What a person answered after joining, by the question's key: the key of an answer, or a text. */
export type Answers = Record<string, string>;

/** One row per waitlist entry. All times of all tables are `EpochMillis`. */
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
    /** Null without an answer. */
    answers: text({ mode: "json" }).$type<Answers>(),
    created_at: integer().notNull(),
    unsubscribed_at: integer(),
    unsubscribe_reason: text().$type<UnsubscribeReason>(),
    /** The bulk action that unsubscribed it; null again once its person has unsubscribed too, rejoined or complained. */
    bulk_action_id: integer(),
    /** The wording that was agreed to, and when: at the sign-up, and again when someone rejoins. */
    consent_version: text(),
    consent_at: integer(),
    /** How someone gave consent outside the site, in the owner's words: they were imported, or added by hand. */
    consent_note: text(),
    import_id: integer(),
    owner_note: text(),
    /** Where addresses have to be confirmed: an entry that is not confirmed by then is erased. */
    confirm_by: integer(),
    confirmed_at: integer(),
    reminded_at: integer(),
    /** When the welcome email was sent, from the time when its row in the outbox is deleted. It is not sent again. */
    welcomed_at: integer(),
    /** When this person was first sent a letter that is an invitation. */
    invited_at: integer(),
    /**
     * When its person or an owner last changed the entry: an answer, a note, a confirmation, rejoining. Null: not since it
     * was added.
     */
    changed_at: integer(),
    /** When an owner last corrected the address. What was sent before went to another one. */
    address_changed_at: integer(),
    /** Keyed hash of the address, by which SQL finds its suppression. */
    address_hash: text(),
    /** Keyed hash of the mailbox, which several addresses can share. See `mailbox.server.ts`. */
    mailbox_hash: text(),
    /** Turnstile verified the sign-up. */
    verified: integer({ mode: "boolean" }).notNull().default(false),
    disposable: integer({ mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    index("waitlist_emails_created_at").on(table.created_at),
    index("waitlist_emails_mailbox_hash").on(table.mailbox_hash).where(sql`${table.mailbox_hash} IS NOT NULL`),
    check("waitlist_emails_lower_case", sql`${table.email} = lower(${table.email})`),
  ],
);

/** How many entries were erased on each day (UTC, `YYYY-MM-DD`): all that remains of them. */
export const erasedTotals = sqliteTable("erased_totals", {
  day: text().primaryKey(),
  count: integer().notNull(),
});

/**
 * Which entries have changed, were added late or were erased: what programs that keep a copy of the list ask for. Triggers in
 * the migrations record it while a key of the API may read entries. See `entry-changes.server.ts`.
 */
export const entryChanges = sqliteTable("entry_changes", {
  /** When, by D1's clock; a later change always has a greater number, also within a millisecond. */
  at: integer().primaryKey(),
  entry_id: integer().notNull(),
});
