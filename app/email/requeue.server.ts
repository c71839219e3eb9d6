import { and, eq, lte, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import { entryEmailRow, randomUuid, unattempted } from "#app/server/db/enqueue-email.server.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { DAY, type EpochMillis } from "#app/server/time/units.ts";
import { isConfirmation } from "#app/waitlist/confirmation/confirmation.server.ts";

/** Dead for good: the address does not accept email or cannot get any, or its person wants none. */
export const neverRequeued = [
  "address-refused",
  "soft-bounces",
  "complaint",
  "never",
  "blocked",
  "international-address",
  "example-address",
] as const satisfies readonly EmailReason[];

/**
 * Requeues dead emails to entries, due now. They keep their ids, so that a provider with idempotency keys drops any
 * that did arrive; one whose outcome stayed unknown gets a new id, because the provider refuses or has forgotten its key.
 *
 * @param emails `failed` leaves out {@link neverRequeued} and emails that may have arrived; `outcome-unknown` means only
 * the latter
 */
export async function requeueDead(
  db: Db,
  now: EpochMillis,
  emails: "failed" | "outcome-unknown" = "failed",
): Promise<number> {
  const isUnknown = sql`reason IS ${"outcome-unknown" satisfies EmailReason}`;
  const isFailed = sql`coalesce(reason, '') NOT IN ${[...neverRequeued, "outcome-unknown"]}`;
  const requeue = db
    .update(emailOutbox)
    .set({
      id: sql`iif(${isUnknown}, ${randomUuid}, ${emailOutbox.id})`,
      dead_at: null,
      attempts: 0,
      first_attempt_at: null,
      next_attempt_at: now,
      leased_until: 0,
    })
    .where(sql`entry_id IS NOT NULL AND dead_at IS NOT NULL AND ${emails === "failed" ? isFailed : isUnknown}`);
  const changes = db.select({ emails: sql<number>`changes()` }).from(sql`(SELECT 1)`);
  const [, [requeued]] = await db.batch([requeue, changes]);
  return requeued?.emails ?? 0;
}

/** How often the owner can queue an entry's welcome email again within {@link RESEND_PERIOD}. */
export const MAX_RESENDS = 3;

const RESEND_PERIOD = DAY;

/**
 * Queues an active entry's welcome email again, due now, whether it was sent, waits or is dead. One that is being sent
 * is left alone, and an unconfirmed entry gets none. The row's data holds the times, so that {@link MAX_RESENDS} is never
 * exceeded.
 */
export async function requeueWelcome(
  db: Db,
  entryId: number,
  now: EpochMillis,
): Promise<"queued" | "limit" | "unchanged"> {
  const { id, done_at, leased_until, dedupe_key, created_at, data, reason } = emailOutbox;
  const isActive = sql`${waitlistEmails.id} = ${entryId} AND ${waitlistEmails.status} = 'active'
    AND NOT ${isConfirmation.unconfirmed}`;
  const recent = sql`SELECT value FROM json_each(${data}, '$.resends') WHERE value > ${now - RESEND_PERIOD}`;
  const isFull = sql<number>`(SELECT count(*) FROM (${recent})) >= ${MAX_RESENDS}`;
  const limit = db
    .select({ isFull })
    .from(emailOutbox)
    .innerJoin(waitlistEmails, and(isActive, eq(waitlistEmails.id, emailOutbox.entry_id)))
    .where(eq(dedupe_key, `welcome:${entryId}`));
  const first = { id: crypto.randomUUID(), now, data: sql`json_object('resends', json_array(${now}))` };
  const upsert = db
    .insert(emailOutbox)
    .select(entryEmailRow(db, "welcome", first, isActive))
    .onConflictDoUpdate({
      target: dedupe_key,
      set: {
        ...unattempted,
        // A new id makes it a new email to the provider; an unsent one keeps its idempotency key, if that can be used again.
        id: sql`iif(${done_at} IS NULL AND ${reason} IS NOT ${"outcome-unknown" satisfies EmailReason}, ${id}, excluded.id)`,
        priority: sql`excluded.priority`,
        network: null,
        next_attempt_at: now,
        created_at: sql`iif(${done_at} IS NULL, ${created_at}, excluded.created_at)`,
        data: sql`json_object('resends', (
          SELECT json_group_array(value) FROM (${recent} UNION ALL SELECT ${now})))`,
      },
      setWhere: and(lte(leased_until, now), sql`NOT ${isFull}`),
    })
    .returning({ id });
  const [limits, queued] = await db.batch([limit, upsert]);
  if (queued.length > 0) return "queued";
  return limits[0]?.isFull === 1 ? "limit" : "unchanged";
}
