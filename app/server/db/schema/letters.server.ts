import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { StoredFilter } from "#app/server/db/schema/stored-filter.ts";
import { type Answers, waitlistEmails } from "./entries.server.ts";

/** `scheduled` letters start by themselves; `stopped` and `finished` ones never send again. */
export type LetterState = "draft" | "scheduled" | "sending" | "stopped" | "finished";

/** `unknown`: the provider may have accepted it, and the owner has to decide. */
export type RecipientState = "pending" | "sent" | "skipped" | "failed" | "unknown";

/** Why a recipient was not sent a letter, or may not have been: in the owner's words in `recipient-reasons.ts`. */
export type RecipientReason =
  | "unsubscribed"
  | "unconfirmed"
  | "suppressed"
  | "erased"
  | "rejected"
  | "member-erased"
  | "never-confirmed"
  | "changed"
  | "counted-as-sent"
  // Of the series only.
  | "late"
  | "overtaken"
  | "enough"
  | "invited"
  | "launched";

/** Whom a letter is for. People who unsubscribed, are suppressed or have yet to confirm are never among them. */
export interface LetterAudience {
  filter: StoredFilter;
  /** Only people whom this letter was sent to, by its id. */
  sentLetter?: number;
  /** Only people whom this letter was not sent to, by its id. */
  notSentLetter?: number;
  /** Only entries with this id or a lower one: those that were on the list when an owner selected them. */
  newestEntry?: number;
  /** Only the first so many, in the order of joining. */
  first?: number;
}

/** What the owner writes to many. Its content cannot change once it has been started. */
export const letters = sqliteTable(
  "letters",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** A random name for the provider: idempotency keys begin with it, and webhooks quote it. */
    key: text().notNull(),
    state: text().$type<LetterState>().notNull().default("draft"),
    subject: text().notNull(),
    preview_line: text().notNull(),
    /** Markdown. */
    body: text().notNull(),
    /** Where replies go, as the owner wrote it; null: CONTACT_EMAIL. */
    reply_to: text(),
    audience: text({ mode: "json" }).$type<LetterAudience>().notNull(),
    is_invitation: integer({ mode: "boolean" }).notNull().default(false),
    /** The step of the series that it was sent as; null for a letter that the owner sent. Recipients are added day by day. */
    step_id: integer(),
    /** Listed at /letters for anyone to read. */
    is_public: integer({ mode: "boolean" }).notNull().default(false),
    /** Whether its emails link to the page at /letters: `is_public` at the start, since later emails must be identical. */
    has_web_link: integer({ mode: "boolean" }).notNull().default(false),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
    scheduled_for: integer(),
    /** The time of the letter, from which links in it expire. */
    started_at: integer(),
    finished_at: integer(),
    /** The number of people that the owner confirmed; of a letter that started by itself, how many matched then. No more are written to. */
    expected: integer().notNull().default(0),
    /** The entry that was added last at the start. Later ones are not written to, even if they joined earlier elsewhere. */
    newest_entry_id: integer(),
    batch_size: integer().notNull().default(100),
    /** Recipients are written in the order of joining: the last one so far, when they joined, and how many. */
    cursor: integer().notNull().default(0),
    cursor_created_at: integer().notNull().default(0),
    queued: integer().notNull().default(0),
    queued_at: integer(),
    /** Whether it has paused after its first recipients. */
    had_first_pause: integer({ mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    // A form that is posted twice makes one letter.
    uniqueIndex("letters_key").on(table.key),
    // The public letters, by the time at which they started, for their pages.
    index("letters_public").on(table.started_at).where(sql`${table.is_public} = 1 AND ${table.started_at} IS NOT NULL`),
    index("letters_step_id").on(table.step_id).where(sql`${table.step_id} IS NOT NULL`),
  ],
);

/**
 * Recipients of a letter at successive positions, at most 100, who are sent it with one request to the provider. WITHOUT
 * ROWID as the recipients are.
 */
export const letterBatches = sqliteTable(
  "letter_batches",
  {
    letter_id: integer()
      .notNull()
      .references(() => letters.id, { onDelete: "cascade" }),
    /** Counted from 0: positions divided by the size of a batch. */
    number: integer().notNull(),
    /** How often it was sent anew, after the provider refused it or the owner decided so: part of the idempotency key. */
    round: integer().notNull().default(0),
    attempts: integer().notNull().default(0),
    /** The first attempt that the provider may have accepted. Each one checks the recipients again. */
    first_attempt_at: integer(),
    next_attempt_at: integer().notNull().default(0),
    /** End of the current lease; 0 when no sender holds it. */
    leased_until: integer().notNull().default(0),
    /** When the provider's answer was recorded, and how many emails it accepted. */
    done_at: integer(),
    sent: integer().notNull().default(0),
    /** When it was given up, since its outcome stays unknown: the owner decides. */
    dead_at: integer(),
    /** Why the last attempt failed: a code of `email-reasons.ts`. */
    reason: text(),
  },
  (table) => [
    primaryKey({ columns: [table.letter_id, table.number] }),
    index("letter_batches_waiting")
      .on(table.letter_id, table.number)
      .where(sql`${table.done_at} IS NULL AND ${table.dead_at} IS NULL`),
    index("letter_batches_dead").on(table.letter_id, table.number).where(sql`${table.dead_at} IS NOT NULL`),
    // Every claim of an email counts the letters of the last hour against the send limit.
    index("letter_batches_done_at").on(table.done_at).where(sql`${table.done_at} IS NOT NULL`),
  ],
);

/**
 * A letter's copy for one entry. WITHOUT ROWID (`drizzle.config.ts`), so that one costs three rows written: the insert with
 * its index, and the result. The row of an erased entry stays without the link to it, so that the numbers add up.
 */
export const letterRecipients = sqliteTable(
  "letter_recipients",
  {
    letter_id: integer()
      .notNull()
      .references(() => letters.id, { onDelete: "cascade" }),
    /** Counted from 0 in the order of joining. */
    position: integer().notNull(),
    /** Null once the entry is erased. */
    entry_id: integer().references(() => waitlistEmails.id, { onDelete: "set null" }),
    state: text().$type<RecipientState>().notNull().default("pending"),
    reason: text().$type<RecipientReason>(),
    done_at: integer(),
    /** What the recipient or their mailbox did with it. */
    bounced_at: integer(),
    /** Whether the bounce was temporary. */
    bounced_softly: integer({ mode: "boolean" }).notNull().default(false),
    complained_at: integer(),
    unsubscribed_at: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.letter_id, table.position] }),
    uniqueIndex("letter_recipients_entry").on(table.entry_id, table.letter_id),
    // For the limits that pause a letter. Recipients outside cost no row.
    index("letter_recipients_bounced").on(table.letter_id).where(sql`${table.bounced_at} IS NOT NULL`),
    index("letter_recipients_complained").on(table.letter_id).where(sql`${table.complained_at} IS NOT NULL`),
  ],
);

/**
 * The answers that a letter's greetings use, from the first attempt that the provider may have accepted until its outcome
 * is known: a retry must send the same bytes under the same idempotency key. Goes with the entry when it is erased.
 */
export const letterGreetings = sqliteTable(
  "letter_greetings",
  {
    letter_id: integer()
      .notNull()
      .references(() => letters.id, { onDelete: "cascade" }),
    position: integer().notNull(),
    entry_id: integer()
      .notNull()
      .references(() => waitlistEmails.id, { onDelete: "cascade" }),
    /** Only those that the letter uses. */
    answers: text({ mode: "json" }).$type<Answers>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.letter_id, table.position] }),
    // For erasures.
    index("letter_greetings_entry").on(table.entry_id),
  ],
);
