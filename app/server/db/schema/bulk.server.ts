import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { StoredFilter } from "#app/server/db/schema/stored-filter.ts";

/** What is done to many entries. `undo` puts back those that an `unsubscribe` took off the list. */
export type BulkKind = "erase" | "unsubscribe" | "undo";

/** `running` until no entry is left, or until an owner stops it. */
export type BulkState = "running" | "done" | "stopped";

/** Changes of many entries at once, each confirmed by an owner. */
export const bulkActions = sqliteTable("bulk_actions", {
  id: integer().primaryKey({ autoIncrement: true }),
  kind: text().$type<BulkKind>().notNull().default("erase"),
  undoes: integer(),
  state: text().$type<BulkState>().notNull().default("running"),
  filter: text({ mode: "json" }).$type<StoredFilter>().notNull(),
  /** Part of an address, or null. Empty once the action has ended, so that no address stays. */
  search: text(),
  /** Of the days in the filter. */
  time_zone: text().notNull(),
  /** The newest entry that the owner was shown: later ones are left alone. */
  newest_entry_id: integer().notNull(),
  /** The number of entries that the owner confirmed. No more are changed. */
  expected: integer().notNull(),
  affected: integer().notNull().default(0),
  /** Entries are taken in order of id: the last one so far. Change in the same transaction as the entries. */
  position: integer().notNull().default(0),
  /** Records changed on the last UTC day (`YYYY-MM-DD`) on which it changed any: see `changedRecordsADay`. */
  changed_today: integer().notNull().default(0),
  changed_on: text().notNull().default(""),
  confirmed_at: integer().notNull(),
  finished_at: integer(),
});
