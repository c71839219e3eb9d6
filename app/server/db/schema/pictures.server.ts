import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export type PictureType = "jpeg" | "png" | "webp";

/** Pictures that owners uploaded. Stored once, they never change. */
export const pictures = sqliteTable(
  "pictures",
  {
    /** 128 random bits as hexadecimal digits: part of the picture's address, which what shows it holds. */
    key: text().primaryKey(),
    type: text().$type<PictureType>().notNull(),
    /** Pixels, as it is shown. */
    width: integer().notNull(),
    height: integer().notNull(),
    /** Bytes. */
    size: integer().notNull(),
    /** The description that was written with it. Each letter has its own in its Markdown. */
    alt: text().notNull(),
    created_at: integer().notNull(),
    /** When it was last looked for in everything that can show it. */
    checked_at: integer().notNull(),
    /** Since when it is known to be in nothing; null while it is used. */
    unused_since: integer(),
  },
  (table) => [
    index("pictures_created_at").on(table.created_at),
    index("pictures_checked_at").on(table.checked_at),
    index("pictures_unused_since").on(table.unused_since).where(sql`${table.unused_since} IS NOT NULL`),
  ],
);

/**
 * The bytes of a picture. In Base64, because blobs come through the D1 binding as lists of numbers, and in pieces, because a
 * restored export is statements of at most 100 KB: docs/letters.md has the measurements.
 */
export const picturePieces = sqliteTable(
  "picture_pieces",
  {
    picture_key: text()
      .notNull()
      .references(() => pictures.key, { onDelete: "cascade" }),
    /** Counted from 0. */
    number: integer().notNull(),
    data: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.picture_key, table.number] })],
);
