import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What endpoints are told of. Triggers in the migrations record them. */
export type WebhookEvent =
  | "entry.joined"
  | "entry.confirmed"
  | "entry.unsubscribed"
  | "entry.erased"
  | "entry.answered"
  | "milestone.reached"
  | "letter.finished"
  | "test";

/** Where events are sent. */
export const webhookEndpoints = sqliteTable("webhook_endpoints", {
  // Auto-increment: signing secrets are derived from the id.
  id: integer().primaryKey({ autoIncrement: true }),
  url: text().notNull(),
  events: text({ mode: "json" }).$type<WebhookEvent[]>().notNull(),
  /** Whether events about an entry have its address and its answers. */
  has_personal_data: integer({ mode: "boolean" }).notNull().default(false),
  /** An endpoint that is off is sent nothing. */
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
  /** When it was last turned on, if it was ever off: events that waited have their time from then on. */
  turned_on_at: integer(),
  /** The end of the pause that its receiver asked for with `Retry-After`. */
  paused_until: integer().notNull().default(0),
  /** When it last accepted an event, a test or not. */
  last_delivered_at: integer(),
  /** Rows that sending has written on the last UTC day (`YYYY-MM-DD`) on which it wrote any: see `maxWebhookWrites`. */
  rows_written: integer().notNull().default(0),
  written_on: text().notNull().default(""),
});

/** Events for endpoints. No address is stored here: it is read when an event is sent. */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    // Each index touched is a row written: so the id is the row's own.
    id: integer().primaryKey(),
    endpoint_id: integer().notNull(),
    event: text().$type<WebhookEvent>().notNull(),
    /** The entry it is about, which may be erased by now; null for other events. */
    entry_id: integer(),
    /** Numbers and names: a milestone's friends, a letter's id. */
    data: text({ mode: "json" }).$type<Record<string, number>>(),
    created_at: integer().notNull(),
    attempts: integer().notNull().default(0),
    /** While a sender holds the row, the end of its lease. */
    next_attempt_at: integer().notNull().default(0),
    delivered_at: integer(),
    dead_at: integer(),
    /** Why the last attempt failed. */
    reason: text(),
  },
  (table) => [
    index("webhook_deliveries_due")
      .on(table.endpoint_id, table.next_attempt_at)
      .where(sql`${table.delivered_at} IS NULL AND ${table.dead_at} IS NULL`),
    index("webhook_deliveries_dead").on(table.endpoint_id, table.dead_at).where(sql`${table.dead_at} IS NOT NULL`),
  ],
);
