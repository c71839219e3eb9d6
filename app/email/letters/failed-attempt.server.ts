import { and, asc, eq, gt, isNotNull } from "drizzle-orm";
import type { Letter } from "#app/email/letters/letters.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { letterBatches } from "#app/server/db/schema/letters.server.ts";

/** Why emails of a letter wait for another attempt, and when that is (milliseconds since 1970). */
export interface FailedAttempt {
  reason: string;
  nextAt: number;
}

/** The first batch that is put off because its last attempt failed; null if none is. */
export async function findFailedAttempt(db: Db, { id }: Letter, now: number): Promise<FailedAttempt | null> {
  const { letter_id, outcome, reason, next_attempt_at } = letterBatches;
  const [failed] = await db
    .select({ reason, nextAt: next_attempt_at })
    .from(letterBatches)
    .where(and(eq(letter_id, id), eq(outcome, "open"), isNotNull(reason), gt(next_attempt_at, now)))
    .orderBy(asc(next_attempt_at))
    .limit(1);
  return failed === undefined ? null : { reason: failed.reason ?? "", nextAt: failed.nextAt };
}
