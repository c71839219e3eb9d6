import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { StoredFilter } from "#app/server/db/schema/stored-filter.ts";

/** Whom a step is for: everyone if null, or a saved view as it was when the owner chose it. */
export interface StepAudience {
  name: string;
  filter: StoredFilter;
}

/**
 * The steps of the series: follow-up emails that each person is sent some days after joining. What a step is sent to is
 * stored with letters, whose `step_id` it is. The id of a deleted step is not used again.
 */
export const seriesSteps = sqliteTable("series_steps", {
  id: integer().primaryKey({ autoIncrement: true }),
  /** Days after the day of joining or, where addresses are confirmed, of confirming. No two steps have the same. */
  days: integer().notNull().unique("series_steps_days"),
  /** The hour of the day from which it is sent, in the owner's time zone: the same for every step. */
  hour: integer().notNull(),
  subject: text().notNull(),
  preview_line: text().notNull(),
  /** Markdown. */
  body: text().notNull(),
  /** Where replies go, as the owner wrote it; null: CONTACT_EMAIL. */
  reply_to: text(),
  audience: text({ mode: "json" }).$type<StepAudience>(),
  /** The letter with the present content, whose recipients are added day by day. Null while the step is off. */
  letter_id: integer(),
  /** It is for people who have joined since. Null until it is switched on for the first time. */
  since: integer(),
  /** Everyone who joined before is decided: has a recipient's row, or was not to be sent the step. */
  decided_before: integer().notNull().default(0),
  /** The last day whose recipients were all written: `YYYY-MM-DD`. */
  planned_day: text(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
});

export type Step = typeof seriesSteps.$inferSelect;
