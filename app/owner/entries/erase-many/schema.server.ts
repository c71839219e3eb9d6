import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { EntryFilter } from "#app/server/db/schema/entry-filter.ts";

/** `running` until no entry is left, or until an owner stops it. */
export type ErasureState = "running" | "done" | "stopped";

/** Erasures of many entries, each confirmed by an owner. */
export const erasures = sqliteTable("erasures", {
  id: integer().primaryKey({ autoIncrement: true }),
  state: text().$type<ErasureState>().notNull().default("running"),
  filter: text({ mode: "json" }).$type<EntryFilter>().notNull(),
  /** Part of an address, or null. Empty once the erasure has ended, so that no address stays. */
  search: text(),
  /** Of the days in the filter. */
  time_zone: text().notNull(),
  /** The newest entry that the owner was shown: later ones are not erased. */
  newest_entry_id: integer().notNull(),
  /** The number of entries that the owner confirmed. No more are erased. */
  expected: integer().notNull(),
  erased: integer().notNull().default(0),
  /** Entries are erased in order of id: the last one so far. Change in the same transaction as the entries. */
  position: integer().notNull().default(0),
  /** Rows written on the last UTC day (`YYYY-MM-DD`) on which it wrote any: see `maxEraseWrites`. */
  rows_written: integer().notNull().default(0),
  written_on: text().notNull().default(""),
  confirmed_at: integer().notNull(),
  finished_at: integer(),
});
