import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { waitlistEmails } from "./entries.server.ts";

export const ownerSignInTokens = sqliteTable("owner_sign_in_tokens", {
  token_hash: text().primaryKey(),
  owner_id: text().notNull(),
  created_at: integer().notNull(),
  expires_at: integer().notNull(),
  used_at: integer(),
  /** The known browser that asked for the link, if any. */
  browser_id: text(),
  /** The keyed hash of the network that asked for it, if no known browser did. */
  network: integer(),
});

export const ownerSessions = sqliteTable("owner_sessions", {
  session_hash: text().primaryKey(),
  owner_id: text().notNull(),
  created_at: integer().notNull(),
  expires_at: integer().notNull(),
});

/** Who did what and when. Kept for 12 months. */
export const ownerLog = sqliteTable("owner_log", {
  id: integer().primaryKey({ autoIncrement: true }),
  /** The address of an owner, or `command line`. */
  actor: text().notNull(),
  /** The `actions.ts` of the folder that does it has its words. */
  action: text().notNull(),
  /** Ids, numbers and names of settings; never a visitor's address. */
  details: text({ mode: "json" }).$type<Record<string, string | number>>().notNull(),
  created_at: integer().notNull(),
});

/**
 * What owners saved in the forms that replace a stored text, so that it can be read and brought back. A note's versions go
 * with the person's entry.
 */
export const savedVersions = sqliteTable(
  "saved_versions",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** Where the form is posted to, such as `/owner/letters/12`: it names the text. */
    path: text().notNull(),
    /** The form's fields by name. */
    fields: text({ mode: "json" }).$type<SavedFields>().notNull(),
    /** The address of an owner; null for a text that was there before it was saved here. */
    actor: text(),
    /** The page from which it was saved: its next save follows this one. */
    form: text(),
    /** Whether the page saved it by itself. */
    is_draft: integer({ mode: "boolean" }).notNull().default(false),
    entry_id: integer().references(() => waitlistEmails.id, { onDelete: "cascade" }),
    saved_at: integer().notNull(),
  },
  (table) => [
    index("saved_versions_path").on(table.path, table.id),
    // For erasures.
    index("saved_versions_entry").on(table.entry_id).where(sql`${table.entry_id} IS NOT NULL`),
  ],
);

/** In the order of the form. */
export type SavedFields = [name: string, value: string][];

/** One row: what owners have set in place of variables and `app/site.ts`. */
export const settings = sqliteTable("settings", {
  id: integer().primaryKey(),
  /** By name. Text, because a row that is no JSON must not fail its reader. */
  stored: text().notNull(),
  saved_at: integer().notNull(),
});

/** The first steps of the overview that are not shown any more: those that were done once, or that an owner does not need. */
export const settledSteps = sqliteTable("settled_steps", {
  key: text().primaryKey(),
  outcome: text().$type<"done" | "dismissed">().notNull(),
  settled_at: integer().notNull(),
});
