import { and, count, desc, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";

export interface EmailStats {
  /** Emails to entries that still exist, of the last days (`SENT_EMAIL_RETENTION_DAYS`). */
  sent: number;
  waiting: number;
  dead: number;
  /** Why emails are waiting or dead, most frequent first. */
  reasons: ({ state: "waiting" | "dead" } & Reason)[];
}

/** `reason` is null before the first attempt. */
export interface Reason {
  reason: string | null;
  emails: number;
}

/** Reasons listed in each state. */
const MAX_REASONS = 12;

/** All emails to entries, counted by their index. */
export function countEmails(db: Db) {
  return db.select({ total: count() }).from(emailOutbox).where(isNotNull(emailOutbox.entry_id));
}

type UnsentRow = { state: "waiting" | "dead"; reason: string | null; emails: number };

/** The few emails to entries that are not sent, by state and reason, most frequent first. */
export function unsentEmails(db: Db) {
  const { sent_at, dead_at, reason, entry_id } = emailOutbox;
  const state = sql<UnsentRow["state"]>`iif(${dead_at} IS NULL, 'waiting', 'dead')`;
  const byReason = (isInState: ReturnType<typeof and>) =>
    db
      .select({ state: state.as("state"), reason, emails: count().as("emails") })
      .from(emailOutbox)
      .where(and(isInState, isNotNull(entry_id)))
      .groupBy(reason);
  // Each state by its own partial index.
  const waiting = byReason(and(isNull(sent_at), isNull(dead_at)));
  return waiting.unionAll(byReason(isNotNull(dead_at))).orderBy(desc(sql`emails`));
}

export function toEmailStats(total: number, unsent: UnsentRow[]): EmailStats {
  const countOf = (wanted: UnsentRow["state"]) =>
    unsent.reduce((sum, { state, emails }) => (state === wanted ? sum + emails : sum), 0);
  const reasons = (["waiting", "dead"] as const).flatMap((wanted) =>
    unsent.filter(({ state }) => state === wanted).slice(0, MAX_REASONS),
  );
  const [waiting, dead] = [countOf("waiting"), countOf("dead")];
  return { sent: total - waiting - dead, waiting, dead, reasons };
}
