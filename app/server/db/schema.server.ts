import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Sign-up metadata that the specification requires as JSON. */
interface SignUpMetadata {
  signup_platform: "web" | "import";
  /** ISO 8601, UTC. */
  signup_date: string;
}

export type EntryStatus = "active" | "unsubscribed";

/**
 * Emails to the people behind entries. `rejoin` asks a former subscriber to confirm a new sign-up, `confirm` a new one to
 * confirm their address. `my-data-link` replaces an expired link.
 */
export type EntryEmailKind = "welcome" | "rejoin" | "confirm" | "confirm-reminder" | "my-data-link";

/** How an entry left the list: its person's own choice, a spam complaint, or the owner's choice. */
export type UnsubscribeReason = "own-choice" | "complaint" | "owner";

/** What brings a person here; most have not said. */
export type Role = "host" | "stallholder" | "both" | "curious";

/**
 * Why an address gets no email: it does not exist, its mailbox refused three of five emails, its person reported spam,
 * or asked for no email ever again.
 */
export type SuppressionReason = "hard-bounce" | "soft-bounces" | "complaint" | "never";

/** Emails that inform the owner. */
export type NotificationKind = "send-limit" | "digest" | "alert";

/** Every email the site sends by itself. */
export type EmailKind = EntryEmailKind | NotificationKind | "sign-in";

/** Why an attempt was blocked, in the order of the abuse checks. */
export type BlockedReason = "body" | "origin" | "honeypot" | "address" | "rate-limited" | "challenge-failed";

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
    role: text().$type<Role>(),
    created_at: integer().notNull(),
    unsubscribed_at: integer(),
    unsubscribe_reason: text().$type<UnsubscribeReason>(),
    /** The wording that was agreed to, and when: at the sign-up, and again when someone rejoins. */
    consent_version: text(),
    consent_at: integer(),
    /** How an imported person gave consent, in the owner's words. */
    consent_note: text(),
    import_id: integer(),
    owner_note: text(),
    /** Where addresses have to be confirmed: an entry that is not confirmed by then is erased. */
    confirm_by: integer(),
    confirmed_at: integer(),
    reminded_at: integer(),
    /** Keyed hash of the mailbox, which several addresses can share. See `mailbox.server.ts`. */
    mailbox_hash: text(),
    /** Turnstile verified the sign-up. */
    verified: integer({ mode: "boolean" }).notNull().default(false),
    /** The address belongs to a service for throw-away addresses. */
    disposable: integer({ mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    index("waitlist_emails_created_at").on(table.created_at),
    index("waitlist_emails_mailbox_hash").on(table.mailbox_hash).where(sql`${table.mailbox_hash} IS NOT NULL`),
    check("waitlist_emails_lower_case", sql`${table.email} = lower(${table.email})`),
  ],
);

/**
 * Every email the site sends by itself. A row is due if it is neither sent nor dead and `next_attempt_at` has passed. On
 * D1 a row written costs about a thousand times a row read, and so does each index: add one only for a frequent query.
 */
export const emailOutbox = sqliteTable(
  "email_outbox",
  {
    /** A UUID, the same for all attempts: the idempotency key. */
    id: text().primaryKey(),
    /** The recipient's entry; null for emails to an owner. */
    entry_id: integer().references(() => waitlistEmails.id, { onDelete: "cascade" }),
    /** The recipient's id (`owners.server.ts`); null for emails to entries. */
    owner_id: text(),
    kind: text().$type<EmailKind>().notNull(),
    /** Limits an entry to one email per kind, and an owner to the latest of each kind. */
    dedupe_key: text().notNull().unique("email_outbox_dedupe_key"),
    /** See `emailPriority`: lower numbers are sent first. */
    priority: integer().notNull(),
    /** What the template of an email to the owner needs: numbers, names and reasons; never an address or a token. */
    data: text({ mode: "json" }).$type<object>(),
    attempts: integer().notNull().default(0),
    /** Providers keep idempotency keys for a limited time after the first attempt. */
    first_attempt_at: integer(),
    /** While a sender holds the row, the end of its lease: a crashed sender's row is due again then. */
    next_attempt_at: integer().notNull(),
    /** End of the current lease; 0 when no sender holds the row. */
    leased_until: integer().notNull().default(0),
    sent_at: integer(),
    dead_at: integer(),
    /** When the recipient's mailbox refused the sent email for the time being. */
    soft_bounced_at: integer(),
    /** Why the last attempt failed, or why the email waits: a code of `reasons.ts`. */
    reason: text(),
    created_at: integer().notNull(),
  },
  (table) => [
    index("email_outbox_due")
      .on(table.priority, table.next_attempt_at)
      .where(sql`${table.sent_at} IS NULL AND ${table.dead_at} IS NULL`),
    index("email_outbox_entry_id").on(table.entry_id).where(sql`${table.entry_id} IS NOT NULL`),
    // Every claim counts the emails of the last hour against the send limit.
    index("email_outbox_sent_at").on(table.sent_at).where(sql`${table.sent_at} IS NOT NULL`),
    // Every run of the cron job looks for newly dead emails.
    index("email_outbox_dead_at").on(table.dead_at).where(sql`${table.dead_at} IS NOT NULL`),
  ],
);

/** The order in which kinds of emails are sent. Only emails to entries count towards the send limit. */
export const emailPriority = {
  "sign-in": 0,
  welcome: 1,
  rejoin: 1,
  confirm: 1,
  "confirm-reminder": 1,
  "my-data-link": 1,
  "send-limit": 2,
  digest: 2,
  alert: 2,
} satisfies Record<EmailKind, number>;

/** The priority of emails that sign-ups cause which Turnstile was asked to verify and did not. */
export const unverifiedPriority = 3;

/** The priority of welcome emails to imported people: a sign-up's email never waits for them. */
export const importedPriority = 4;

/** Why all email waits, and until when: the provider's quota or rate limit, or a fault of the configuration. */
export const emailHolds = sqliteTable("email_holds", {
  reason: text().primaryKey(),
  until: integer().notNull(),
  created_at: integer().notNull(),
});

/** Addresses that get no email, by keyed hash (`address-hash.server.ts`). Survives the erasure of their entries. */
export const suppressions = sqliteTable("suppressions", {
  address_hash: text().primaryKey(),
  reason: text().$type<SuppressionReason>().notNull(),
  /** Null: for good. */
  until: integer(),
  created_at: integer().notNull(),
});

/** Webhook events that were handled, because providers deliver some twice. Kept for 7 days. */
export const providerEvents = sqliteTable("provider_events", {
  event_id: text().primaryKey(),
  received_at: integer().notNull(),
});

/** Owners' sign-in links, by the hash of their token. */
export const ownerSignInTokens = sqliteTable("owner_sign_in_tokens", {
  token_hash: text().primaryKey(),
  owner_id: text().notNull(),
  created_at: integer().notNull(),
  expires_at: integer().notNull(),
  used_at: integer(),
});

/** Owners who are signed in, by the hash of their session's id. */
export const ownerSessions = sqliteTable("owner_sessions", {
  session_hash: text().primaryKey(),
  owner_id: text().notNull(),
  created_at: integer().notNull(),
  expires_at: integer().notNull(),
});

/** What was done to the site's data, as the owners' log shows it. */
export type OwnerAction =
  | "sign-in"
  | "sign-out"
  | "sign-out-everywhere"
  | "create-sign-in-link"
  | "unsubscribe"
  | "erase"
  | "resend-welcome"
  | "retry-emails"
  | "make-link"
  | "note"
  | "export"
  | "import"
  | "unsuppress"
  | "replace-link-secret";

/** Who did what and when. Kept for 12 months. */
export const ownerLog = sqliteTable("owner_log", {
  id: integer().primaryKey({ autoIncrement: true }),
  /** The address of an owner, or `command line`. */
  actor: text().notNull(),
  action: text().$type<OwnerAction>().notNull(),
  /** Ids, numbers and names of settings; never a visitor's address. */
  details: text({ mode: "json" }).$type<Record<string, string | number>>().notNull(),
  created_at: integer().notNull(),
});

/** Aggregated statistics, stored because computing them scans the whole list. */
export const storedStats = sqliteTable("stats", {
  key: text().primaryKey(),
  value: text({ mode: "json" }).$type<object>().notNull(),
  computed_at: integer().notNull(),
});

/** How many entries were erased on each day (UTC, `YYYY-MM-DD`): all that remains of them. */
export const erasedTotals = sqliteTable("erased_totals", {
  day: text().primaryKey(),
  count: integer().notNull(),
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
 * `receiving` while its file is being stored, `staged` until its columns are chosen, `checked` until the owner confirms.
 * Only then entries are written: `running`, then `done`, or `stopped` by the owner.
 */
export type ImportState = "receiving" | "staged" | "checked" | "running" | "done" | "stopped";

/** Imports of people from a file. */
export const imports = sqliteTable("imports", {
  id: integer().primaryKey({ autoIncrement: true }),
  state: text().$type<ImportState>().notNull().default("receiving"),
  file_name: text().notNull(),
  /** SHA-256 of the file, by which the command line finds an import to continue. */
  digest: text(),
  /** The names in the file's first line. */
  columns: text({ mode: "json" }).$type<string[]>().notNull(),
  rows: integer().notNull().default(0),
  chunks: integer().notNull().default(0),
  /** See `ImportSettings` and `ImportReport`; null until the file is checked. */
  settings: text({ mode: "json" }).$type<object>(),
  report: text({ mode: "json" }).$type<object>(),
  /** The chunk to import next. Changes in the same transaction as the entries. */
  position: integer().notNull().default(0),
  added: integer().notNull().default(0),
  suppressed: integer().notNull().default(0),
  created_at: integer().notNull(),
  checked_at: integer(),
  confirmed_at: integer(),
  finished_at: integer(),
});

/** The rows of a file until they are imported, at most a day: JSON of at most 1 MB. */
export const importChunks = sqliteTable(
  "import_chunks",
  {
    import_id: integer()
      .notNull()
      .references(() => imports.id, { onDelete: "cascade" }),
    position: integer().notNull(),
    rows: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.import_id, table.position] })],
);
/** What visits are counted by. */
export type VisitKind = "page" | "utm_source" | "utm_campaign" | "referrer_host";

/** Numbers of visits by kind and name. */
export type VisitCounts = { [Kind in VisitKind]?: Record<string, number> };

/**
 * Visits on each day (of the owner's time zone, `YYYY-MM-DD`). All counts of a day are one row, so that a write costs one
 * row whatever names visitors send; and each kind is counted by itself, so that no row describes a single visit.
 */
export const pageVisits = sqliteTable("page_visits", {
  day: text().primaryKey(),
  counts: text({ mode: "json" }).$type<VisitCounts>().notNull(),
});
