import { integer, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";

/** The tagged links that owners have made. The links work without their rows. */
export const links = sqliteTable(
  "links",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** The path of a page of the site. */
    page: text().notNull(),
    utm_source: text().notNull(),
    /** Empty if the link has none, like the campaign. */
    utm_medium: text().notNull(),
    utm_campaign: text().notNull(),
    /** The address of the owner who made it. */
    actor: text().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [unique("links_labels").on(table.page, table.utm_source, table.utm_medium, table.utm_campaign)],
);
