import { sql } from "drizzle-orm";
import { beginPause, type EmailPause, endPauses } from "#app/email/pauses.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";
import { type LogFields, logError } from "#app/server/log.ts";

/** How an attempt ended. */
export type AttemptResult = { id: string } & (
  | { state: "sent" }
  | {
      state: "waiting";
      /** Null keeps the last one. */
      reason: EmailReason | null;
      nextAttemptAt: number;
      /** Attempts so far. */
      attempts: number;
      /** Null if no attempt so far can have been accepted. */
      firstAttemptAt: number | null;
    }
  /** `nextAttemptAt`: from when a new sign-up may queue it again. */
  | { state: "dead"; reason: EmailReason; nextAttemptAt?: number }
);

/** What a batch of attempts means for all email. */
interface PauseChanges {
  /** The pause that it begins. */
  begin: EmailPause | null;
  /** Whether it ends past pauses. */
  end: boolean;
}

/** Records results, and retries once: a lost write would send emails twice. D1 does not retry writes itself. */
export async function recordWithRetry(record: () => Promise<void>, failure: string, fields: LogFields): Promise<void> {
  try {
    await record();
  } catch (error) {
    logError(failure, error, fields);
    await record();
  }
}

/** Records how a batch of attempts ended, and pauses all email or ends that. Atomic and idempotent. */
export async function recordResults(
  db: Db,
  results: AttemptResult[],
  now: number,
  { begin = null, end = false }: Partial<PauseChanges> = {},
): Promise<void> {
  const unchanged = { reason: null, nextAttemptAt: null, attempts: null, firstAttemptAt: null };
  const rows = results.map((result) => ({ ...unchanged, ...result }));
  const result = (name: string) => sql`result.value ->> ${sql.raw(`'${name}'`)}`;
  const record = db
    .update(emailOutbox)
    .set({
      leased_until: 0,
      attempts: sql`coalesce(${result("attempts")}, attempts)`,
      first_attempt_at: sql`iif(${result("state")} = 'waiting', ${result("firstAttemptAt")}, first_attempt_at)`,
      sent_at: sql`iif(${result("state")} = 'sent', ${now}, NULL)`,
      dead_at: sql`iif(${result("state")} = 'dead', ${now}, NULL)`,
      reason: sql`iif(${result("state")} = 'sent', NULL, coalesce(${result("reason")}, reason))`,
      next_attempt_at: sql`coalesce(${result("nextAttemptAt")}, ${now})`,
    })
    .from(sql`json_each(${JSON.stringify(rows)}) AS result`)
    .where(sql`email_outbox.id = ${result("id")}`);
  await db.batch([
    record,
    ...(end ? [endPauses(db, now)] : []),
    ...(begin === null ? [] : [beginPause(db, begin, now)]),
  ]);
}
