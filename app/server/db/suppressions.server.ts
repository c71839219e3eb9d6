import { and, eq, gt, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import { erasedAddresses, type SuppressionReason, suppressions } from "#app/server/db/schema/email.server.ts";
import { DAY, type EpochMillis } from "#app/server/time/units.ts";

export const suppressionReasons = {
  "hard-bounce": "address-refused",
  "soft-bounces": "soft-bounces",
  complaint: "complaint",
  never: "never",
  blocked: "blocked",
} as const satisfies Record<SuppressionReason, EmailReason>;

/** Why an email is dead whose address got none at that time, and may again. */
export const addressReasons: EmailReason[] = [...Object.values(suppressionReasons), "refused-for-now"];

/** How long a bounce blocks an address. */
export const BOUNCE_SUPPRESSION = 7 * DAY;

export interface Suppression {
  reason: SuppressionReason;
  /** Null: for good. */
  until: EpochMillis | null;
}

export async function findSuppressed(db: Db, hashes: string[], now: EpochMillis): Promise<Map<string, Suppression>> {
  const { address_hash, reason, until } = suppressions;
  const found = await db
    .select({ address_hash, reason, until })
    .from(suppressions)
    .where(
      and(
        sql`${address_hash} IN (SELECT value FROM json_each(${JSON.stringify(hashes)}))`,
        or(isNull(until), gt(until, now)),
      ),
    );
  return new Map(found.map(({ address_hash: hash, ...suppression }) => [hash, suppression]));
}

export function isSuppressed(now: EpochMillis): SQL {
  return sql`EXISTS (SELECT 1 FROM suppressions WHERE suppressions.address_hash = waitlist_emails.address_hash
    AND (suppressions.until IS NULL OR suppressions.until > ${now}))`;
}

export async function suppressedHashes(db: Db, now: EpochMillis): Promise<Set<string>> {
  const { address_hash, until } = suppressions;
  const found = await db
    .select({ address_hash })
    .from(suppressions)
    .where(or(isNull(until), gt(until, now)));
  return new Set(found.map((row) => row.address_hash));
}

/**
 * The statement that suppresses addresses. It replaces an earlier suppression only by a longer one, so that a bounce
 * never shortens a complaint.
 */
export function suppress(
  db: Db,
  { hashes, reason, until }: Suppression & { hashes: readonly string[] },
  now: EpochMillis,
  condition: SQL = sql`true`,
) {
  return db
    .insert(suppressions)
    .select(sql`SELECT value, ${reason}, ${until}, ${now} FROM json_each(${JSON.stringify(hashes)}) WHERE ${condition}`)
    .onConflictDoUpdate({
      target: suppressions.address_hash,
      set: { reason: sql`excluded.reason`, until: sql`excluded.until`, created_at: sql`excluded.created_at` },
      setWhere: sql`${suppressions.until} IS NOT NULL
        AND (excluded.until IS NULL OR excluded.until > ${suppressions.until})`,
    });
}

/** The statement that lifts what people can lift themselves: their complaint, and their wish never to be emailed. */
export function liftOwnSuppression(db: Db, hash: string) {
  return db
    .delete(suppressions)
    .where(and(eq(suppressions.address_hash, hash), inArray(suppressions.reason, ["complaint", "never"])));
}

/** The statement that keeps imports and owners from adding an address whose person is about to erase this entry. */
export function rememberErasure(db: Db, entryId: number, hash: string, now: EpochMillis) {
  return db
    .insert(erasedAddresses)
    .select(sql`SELECT ${hash}, ${now} WHERE EXISTS (SELECT 1 FROM waitlist_emails WHERE id = ${entryId})`)
    .onConflictDoUpdate({ target: erasedAddresses.address_hash, set: { created_at: sql`excluded.created_at` } });
}

/**
 * The condition that only its own person can add an address, which is given by hash: it gets no email, or they erased
 * themselves, or had left by themselves when their entry was erased.
 */
export function isKeptOut(hash: SQL | string, now: EpochMillis): SQL {
  return sql`(EXISTS (SELECT 1 FROM suppressions WHERE address_hash = ${hash} AND (until IS NULL OR until > ${now}))
    OR EXISTS (SELECT 1 FROM erased_addresses WHERE address_hash = ${hash}))`;
}

/**
 * The statement that undoes {@link rememberErasure} once the person has confirmed the entry by their own link. A sign-up
 * alone does not: anyone can enter the address, and an unconfirmed entry is erased again.
 */
export function forgetErasure(db: Db, entryId: number) {
  return db.delete(erasedAddresses).where(
    sql`${erasedAddresses.address_hash} = (SELECT address_hash FROM waitlist_emails
      WHERE id = ${entryId} AND status = 'active' AND confirmed_at IS NOT NULL)`,
  );
}

/**
 * Lifts a suppression. Also allows imports to add the address again.
 *
 * @param expected lifts only this one, which may have been replaced since it was shown
 * @returns why it was suppressed; null if it was not
 */
export async function unsuppress(
  db: Db,
  hash: string,
  expected?: SuppressionReason,
): Promise<SuppressionReason | "erased" | null> {
  const { address_hash, reason } = suppressions;
  const isExpected = expected === undefined ? undefined : eq(reason, expected);
  // One by one, since remote batches may not be atomic.
  const [lifted] = await db
    .delete(suppressions)
    .where(and(eq(address_hash, hash), isExpected))
    .returning({ reason });
  if (expected !== undefined && lifted === undefined) return null;
  const [erased] = await db
    .delete(erasedAddresses)
    .where(eq(erasedAddresses.address_hash, hash))
    .returning({ address_hash: erasedAddresses.address_hash });
  return lifted?.reason ?? (erased === undefined ? null : "erased");
}
