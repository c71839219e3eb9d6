import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Origins of other sites whose forms may add people. */
export const embedOrigins = sqliteTable("embed_origins", {
  /** As in an `Origin` header: `https://example.com`. */
  origin: text().primaryKey(),
  created_at: integer().notNull(),
});
