import { type SQL, sql } from "drizzle-orm";

/**
 * A letter pauses itself, and emails to unverified sign-ups are held, at this many complaints or bounces, if they are more
 * than this share of what was sent. Resend expects bounces under 4 % and complaints under 0.08 %.
 * https://resend.com/legal/acceptable-use
 */
export const eventLimits = {
  complaints: { count: 3, share: 0.0008 },
  bounces: { count: 15, share: 0.03 },
} as const;

/** SQL for whether a limit is exceeded. Reads `sent` only if there are as many events. */
export function exceeds({ count, share }: { count: number; share: number }, found: SQL, sent: SQL): SQL {
  return sql`CASE WHEN ${found} < ${count} THEN false ELSE ${found} > ${share} * ${sent} END`;
}
