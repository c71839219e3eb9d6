import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What endpoints are told of. Triggers in the migrations record them. */
export type WebhookEvent =
  | "entry.joined"
  | "entry.confirmed"
  | "entry.unsubscribed"
  | "entry.erased"
  | "entry.answered"
  | "entry.changed"
  | "milestone.reached"
  | "letter.finished";

export const webhookEndpoints = sqliteTable("webhook_endpoints", {
  // Auto-increment: signing secrets are derived from the id.
  id: integer().primaryKey({ autoIncrement: true }),
  url: text().notNull(),
  events: text({ mode: "json" }).$type<WebhookEvent[]>().notNull(),
  /** Whether events about an entry have its address and its answers. */
  has_personal_data: integer({ mode: "boolean" }).notNull().default(false),
  is_on: integer({ mode: "boolean" }).notNull().default(true),
  /**
   * Why it is off. `gone`: it responded with 410; events are still recorded, and wait. Of one that an owner has turned off,
   * none are.
   */
  off_reason: text().$type<"owner" | "gone">(),
  /** The number of the current signing secret; the one before it signs too until `rotated_at` is a day ago. */
  secret_number: integer().notNull().default(1),
  rotated_at: integer(),
  created_at: integer().notNull(),
  /** Until when nothing is sent: its receiver asked for it with `Retry-After`, or has accepted nothing for a while. */
  paused_until: integer().notNull().default(0),
  /** Since when it has accepted nothing of what was sent; null if it accepted the last events. */
  failing_since: integer(),
  /** When it last accepted an event, a test or not. */
  last_delivered_at: integer(),
  /** Attempts on the last UTC day (`YYYY-MM-DD`) on which there was one: see `webhookAttemptsADay`. */
  attempts_today: integer().notNull().default(0),
  attempts_on: text().notNull().default(""),
});
