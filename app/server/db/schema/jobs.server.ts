import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** An event for a webhook, and the next chunk of an import, of a change of many entries, or of what a tablet sent. */
export type JobKind = "webhook" | "import" | "change" | "fair";

/** Work for later: see `app/server/queue.server.ts`. */
export const jobs = sqliteTable(
  "jobs",
  {
    // Each index touched is a row written: so the id is the row's own. SQLite uses those of deleted rows again.
    id: integer().primaryKey(),
    kind: text().$type<JobKind>().notNull(),
    /** The endpoint, import, bulk action or tablet. */
    subject: integer().notNull(),
    /** What the kind needs to know: numbers and names, never an address. */
    data: text({ mode: "json" }).$type<object>(),
    /** Counted before each attempt, since a killed one records nothing. Those since the last success. */
    attempts: integer().notNull().default(0),
    /** While a run holds the job, the end of its lease: after a crash it is due again then. */
    next_attempt_at: integer().notNull(),
    /** The end of the lease; 0 when no run holds the job. */
    leased_until: integer().notNull().default(0),
    done_at: integer(),
    dead_at: integer(),
    reason: text(),
    /** The HTTP status of the last attempt, if there was one. */
    last_status: integer(),
    created_at: integer().notNull(),
  },
  (table) => [
    index("jobs_due")
      .on(table.kind, table.subject, table.next_attempt_at)
      .where(sql`${table.done_at} IS NULL AND ${table.dead_at} IS NULL`),
    index("jobs_dead").on(table.kind, table.subject, table.dead_at).where(sql`${table.dead_at} IS NOT NULL`),
  ],
);
