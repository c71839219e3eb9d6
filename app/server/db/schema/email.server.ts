import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import { waitlistEmails } from "./entries.server.ts";

/**
 * Emails to the people behind entries. `rejoin` asks a former subscriber to confirm a new sign-up, `confirm` a new one to
 * confirm their address. `my-data-link` replaces an expired link. `milestone` says that enough friends have joined.
 */
export type EntryEmailKind = "welcome" | "rejoin" | "confirm" | "confirm-reminder" | "my-data-link" | "milestone";

/**
 * Why an address gets no email: it does not exist, its mailbox refused three of five emails, its person reported spam,
 * or asked for no email ever again, or an owner blocked it at the email provider.
 */
export type SuppressionReason = "hard-bounce" | "soft-bounces" | "complaint" | "never" | "blocked";

export type NotificationKind = "send-limit" | "digest" | "alert";

/**
 * `letter`: one that an owner sends to one person again, as a single email. `settings-changed`: to each owner, about a
 * change that could shut others out or weaken the site.
 */
export type EmailKind = EntryEmailKind | "letter" | NotificationKind | "sign-in" | "settings-changed";

/**
 * Every email the site sends by itself. Work of `app/server/queue.server.ts`: done when it is sent. On
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
    /** Limits an entry to one email per kind, or letter, and an owner to the latest of each kind but `settings-changed`. */
    dedupe_key: text().notNull().unique("email_outbox_dedupe_key"),
    /** See `emailPriority`: lower numbers are sent first. */
    priority: integer().notNull(),
    /**
     * What the template needs: numbers, names and reasons, and the answers in a letter; never a visitor's address, nor a token.
     * From its first attempt until it is sent, also the `answers` in its greetings (see `outbox.server.ts`).
     */
    data: text({ mode: "json" }).$type<object>(),
    attempts: integer().notNull().default(0),
    /** Providers keep idempotency keys for a limited time after the first attempt. */
    first_attempt_at: integer(),
    /** While a sender holds the row, the end of its lease: a crashed sender's row is due again then. */
    next_attempt_at: integer().notNull(),
    /** End of the current lease; 0 when no sender holds the row. */
    leased_until: integer().notNull().default(0),
    /** When the provider accepted it. */
    done_at: integer(),
    dead_at: integer(),
    /** When the recipient's mailbox refused the sent email for the time being. */
    soft_bounced_at: integer(),
    /** Why the last attempt failed, or why the email waits: a code of `email-reasons.ts`. */
    reason: text(),
    created_at: integer().notNull(),
    /** Of a sign-up's email until it is first claimed: a keyed hash of the client's network (`network-hash.server.ts`). */
    network: integer(),
  },
  (table) => [
    index("email_outbox_due")
      .on(table.priority, table.network, table.next_attempt_at)
      .where(sql`${table.done_at} IS NULL AND ${table.dead_at} IS NULL`),
    index("email_outbox_entry_id").on(table.entry_id).where(sql`${table.entry_id} IS NOT NULL`),
    // Every claim counts the emails of the last hour against the send limit.
    index("email_outbox_done_at").on(table.done_at).where(sql`${table.done_at} IS NOT NULL`),
    // Every run of the cron job looks for newly dead emails.
    index("email_outbox_dead_at").on(table.dead_at).where(sql`${table.dead_at} IS NOT NULL`),
  ],
);

/** The order in which kinds of emails are sent. Only emails to entries count towards the send limit. */
export const emailPriority = {
  "sign-in": 0,
  "settings-changed": 0,
  welcome: 1,
  rejoin: 1,
  confirm: 1,
  "confirm-reminder": 1,
  "my-data-link": 1,
  milestone: 1,
  letter: 1,
  "send-limit": 2,
  digest: 2,
  alert: 2,
} satisfies Record<EmailKind, number>;

/** The priority of emails that sign-ups cause which Turnstile has not verified, or was not asked to. */
export const unverifiedPriority = 3;

/** The priority of welcome emails to imported people: a sign-up's email never waits for them. */
export const importedPriority = 4;

export type PauseScope = "all" | "unverified" | "letter" | "follow-ups";

/**
 * Why: an owner did it, for bounces to arrive, too many complaints or bounces, an audience that is not as the owner confirmed
 * it when a scheduled letter is to start, or what the provider answered.
 */
export type PauseReason = "owner" | "first-recipients" | "complaints" | "bounces" | "audience-changed" | EmailReason;

/** Why emails wait, and until when: see `app/email/pauses.server.ts`. */
export const emailPauses = sqliteTable(
  "email_pauses",
  {
    scope: text().$type<PauseScope>().notNull(),
    /** The letter that waits, or that made all follow-ups wait; 0 in the other scopes. */
    letter_id: integer().notNull().default(0),
    reason: text().$type<PauseReason>().notNull(),
    /** Null: until a person ends it. */
    until: integer(),
    created_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.letter_id, table.reason] })],
);

/** Addresses that get no email, by keyed hash (`address-hash.server.ts`). Survives the erasure of their entries. */
export const suppressions = sqliteTable("suppressions", {
  address_hash: text().primaryKey(),
  reason: text().$type<SuppressionReason>().notNull(),
  /** Null: for good. */
  until: integer(),
  created_at: integer().notNull(),
});

/**
 * Addresses whose person erased their entry, or had left by themselves before others erased it (a trigger of
 * `migrations/0002_remember_who_had_left.sql` adds these), by the same keyed hash. No one else adds them again; if someone
 * enters the address, an email asks them to confirm.
 */
export const erasedAddresses = sqliteTable("erased_addresses", {
  address_hash: text().primaryKey(),
  created_at: integer().notNull(),
});

/** Webhook events that were handled, because providers deliver some twice. Kept for 7 days. */
export const providerEvents = sqliteTable("provider_events", {
  event_id: text().primaryKey(),
  received_at: integer().notNull(),
});

export const emailWordings = sqliteTable("email_wordings", {
  kind: text().$type<EntryEmailKind>().primaryKey(),
  subject: text().notNull(),
  heading: text().notNull(),
  /** As the owner wrote it: see `app/email/templates/wording.ts`. */
  body: text().notNull(),
  updated_at: integer().notNull(),
});
