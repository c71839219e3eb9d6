import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { StoredFilter } from "#app/server/db/schema/stored-filter.ts";

export type ListOrder = "newest" | "oldest" | "address" | "address-down";

/** Filters and orders of the list that owners have named. */
export const savedViews = sqliteTable("saved_views", {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull().unique("saved_views_name"),
  filter: text({ mode: "json" }).$type<StoredFilter>().notNull(),
  order: text().$type<ListOrder>().notNull(),
  created_at: integer().notNull(),
});
