import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export type ApiScope = "entries:read" | "entries:write" | "stats:read" | "letters:read";

/** Keys of the API, by hash: a key itself is shown once. */
export const apiKeys = sqliteTable("api_keys", {
  // Auto-increment, so that an id in the log never means another key.
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  /** SHA-256 of the key, in hex. */
  hash: text().notNull().unique("api_keys_hash"),
  scopes: text({ mode: "json" }).$type<ApiScope[]>().notNull(),
  created_at: integer().notNull(),
  /** UTC, `YYYY-MM-DD`; null before the first use. */
  last_used_day: text(),
  revoked_at: integer(),
});
