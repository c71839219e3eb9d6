import { and, gt, isNull, or } from "drizzle-orm";
import { ofAllEmail } from "#app/email/pauses.server.ts";
import {
  hasPriority,
  LEASE,
  LONGEST_WAIT,
  toImported,
  toOwner,
  toUnverified,
  toVerified,
} from "#app/email/quotas.server.ts";
import { MAX_SKEW } from "#app/server/calendar.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { emailOutbox, emailPauses } from "#app/server/db/schema/email.server.ts";

/**
 * Ends pauses and waits that are longer than any the site begins. A clock that was ahead has stored them, or one that was
 * set back reads them; they could last for years. By the index of due emails, and of few that wait for an attempt.
 */
export async function mendTimes(db: Db, now: number): Promise<void> {
  const { sent_at, dead_at, next_attempt_at, first_attempt_at } = emailOutbox;
  // The provider's key would be forgotten before an attempt that seems to be early: see `hasForgottenKey`.
  const isWrong = or(gt(next_attempt_at, now + LONGEST_WAIT), gt(first_attempt_at, now + MAX_SKEW));
  const waits = and(isNull(sent_at), isNull(dead_at), gt(next_attempt_at, now + MAX_SKEW), isWrong);
  const soon = now + LEASE;
  await db.batch([
    // As if leased: the sender that wrote it may still hold it.
    db
      .update(emailOutbox)
      .set({ next_attempt_at: soon, leased_until: soon, network: null })
      .where(and(anyPriority, waits)),
    db.delete(emailPauses).where(and(gt(emailPauses.until, now + LONGEST_WAIT), ofAllEmail)),
  ]);
}

const anyPriority = hasPriority([...toOwner, ...toVerified, ...toUnverified, ...toImported]);
