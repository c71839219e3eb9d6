import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

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
