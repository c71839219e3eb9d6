import { and, count, desc, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";

export interface EmailStats {
  /** Emails to entries that still exist, of the last days (`SENT_EMAIL_RETENTION_DAYS`). */
  sent: number;
  waiting: number;
  dead: number;
  /** Those that the provider never confirmed. */
  unknown: number;
  /** Why emails are in these states, most frequent first. */
  reasons: Unsent[];
}

/** `reason` is null before the first attempt. */
export interface Reason {
  reason: string | null;
  emails: number;
}

interface Unsent extends Reason {
  state: "waiting" | "dead" | "unknown";
}

const MAX_REASONS = 12;

export function countEmails(db: Db) {
  return db.select({ total: count() }).from(emailOutbox).where(isNotNull(emailOutbox.entry_id));
}

export function unsentEmails(db: Db) {
  const { done_at, dead_at, reason, entry_id } = emailOutbox;
  const state = sql<
    Unsent["state"]
  >`CASE WHEN ${dead_at} IS NULL THEN 'waiting' WHEN ${reason} IS 'outcome-unknown' THEN 'unknown' ELSE 'dead' END`;
  const byReason = (isInState: SQL) =>
    db
      .select({ state: state.as("state"), reason, emails: count().as("emails") })
      .from(emailOutbox)
      .where(and(isInState, isNotNull(entry_id)))
      .groupBy(reason);
  // Each state by its own partial index.
  const waiting = byReason(sql`${done_at} IS NULL AND ${dead_at} IS NULL`);
  return waiting.unionAll(byReason(isNotNull(dead_at))).orderBy(desc(sql`emails`));
}

export function toEmailStats(total: number, unsent: Unsent[]): EmailStats {
  const byState = (["waiting", "dead", "unknown"] as const).map((wanted) =>
    unsent.filter(({ state }) => state === wanted),
  );
  const [waiting = 0, dead = 0, unknown = 0] = byState.map((group) =>
    group.reduce((sum, { emails }) => sum + emails, 0),
  );
  const reasons = byState.flatMap((group) => group.slice(0, MAX_REASONS));
  return { sent: total - waiting - dead - unknown, waiting, dead, unknown, reasons };
}
