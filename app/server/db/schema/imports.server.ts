import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * `receiving` while its file is being stored, `staged` until its columns are chosen, `checked` until the owner confirms.
 * Only then entries are written: `running`, then `done`, or `stopped`.
 */
export type ImportState = "receiving" | "staged" | "checked" | "running" | "done" | "stopped";

/**
 * Stopped by an owner, or because the next rows could not be added: the last attempt failed, or the platform ended it,
 * which leaves no error.
 */
export type ImportStopReason = "owner" | "failed" | "interrupted";

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
  /** What the owner chose and what the check found: see `Import` in `app/features/import`. Null until the file is checked. */
  settings: text({ mode: "json" }).$type<object>(),
  report: text({ mode: "json" }).$type<object>(),
  /** The chunk to import next, and how many of its rows are imported. Change in the same transaction as the entries. */
  position: integer().notNull().default(0),
  rows_done: integer().notNull().default(0),
  /** Rows imported on the last UTC day (`YYYY-MM-DD`) on which it imported any: see `importedADay`. */
  imported_today: integer().notNull().default(0),
  imported_on: text().notNull().default(""),
  added: integer().notNull().default(0),
  suppressed: integer().notNull().default(0),
  /** How many people who were on the list it has unsubscribed, because the file says that they opted out. */
  unsubscribed: integer().notNull().default(0),
  /** How many people who were on the list it has given answers that they had not given. */
  filled: integer().notNull().default(0),
  created_at: integer().notNull(),
  checked_at: integer(),
  confirmed_at: integer(),
  finished_at: integer(),
  /** Null unless the import is stopped. */
  stop_reason: text().$type<ImportStopReason>(),
});

/** The rows of a file until they are imported: JSON of at most 500 KB. */
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
