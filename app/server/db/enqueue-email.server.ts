import { and, isNotNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import {
  type EmailKind,
  type EntryEmailKind,
  emailOutbox,
  emailPriority,
  waitlistEmails,
} from "#app/server/db/schema.server.ts";

/** The values of an outbox row that was never attempted, and of one that starts again. */
export const unattempted = {
  attempts: 0,
  leased_until: 0,
  sent_at: null,
  dead_at: null,
  first_attempt_at: null,
  soft_bounced_at: null,
  reason: null,
};

/**
 * Selects an outbox row for each entry that matches a condition, for an `INSERT … SELECT`.
 *
 * @param row values or placeholders
 */
export function entryEmailRow(
  db: Db,
  kind: EntryEmailKind,
  row: { id: unknown; now: unknown; priority?: unknown; data?: SQL },
  condition: SQL | undefined,
) {
  return db
    .select({
      id: sql`${row.id}`.as("id"),
      entry_id: sql<number>`${waitlistEmails.id}`.as("entry_id"),
      kind: sql`${kind}`.as("kind"),
      dedupe_key: sql`${`${kind}:`} || ${waitlistEmails.id}`.as("dedupe_key"),
      priority: sql`${row.priority ?? emailPriority[kind]}`.as("priority"),
      data: (row.data ?? sql`NULL`).as("data"),
      attempts: sql`0`.as("attempts"),
      first_attempt_at: sql`NULL`.as("first_attempt_at"),
      next_attempt_at: sql`${row.now}`.as("next_attempt_at"),
      leased_until: sql`0`.as("leased_until"),
      sent_at: sql`NULL`.as("sent_at"),
      dead_at: sql`NULL`.as("dead_at"),
      soft_bounced_at: sql`NULL`.as("soft_bounced_at"),
      reason: sql`NULL`.as("reason"),
      created_at: sql`${row.now}`.as("created_at"),
    })
    .from(waitlistEmails)
    .where(condition);
}

/**
 * The statement that queues an email to the owner in place of the last one of its kind, unless that one is being sent.
 *
 * @param replaces a further condition on the row it replaces
 */
export function ownerEmailUpsert(
  db: Db,
  email: { id: string; kind: Exclude<EmailKind, EntryEmailKind>; data: object },
  replaces: SQL | undefined,
  now: number,
) {
  const row = { ...email, ...unattempted, next_attempt_at: now, created_at: now };
  const isIdle = or(lte(emailOutbox.leased_until, now), isNotNull(emailOutbox.sent_at));
  return db
    .insert(emailOutbox)
    .values({ ...row, dedupe_key: email.kind, priority: emailPriority[email.kind] })
    .onConflictDoUpdate({ target: emailOutbox.dedupe_key, set: row, setWhere: and(replaces, isIdle) })
    .returning({ id: emailOutbox.id });
}
