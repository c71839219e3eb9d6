import { and, count, eq, gt, inArray, isNull, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { ownerSignInTokens } from "#app/server/db/schema/owner.server.ts";
import { randomToken, sha256 } from "#app/server/hashes/random-token.server.ts";
import { verifyToken } from "#app/server/hashes/signed-token.server.ts";
import { type Owner, ownerId } from "#app/server/owners.server.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";

/*
 * D1 stores only hashes of what signs the owner in. The token of an emailed link is the email's id with a signature,
 * because the id itself is in the outbox. The token of a link from the command line is 256 random bits without a
 * signature, because the command line does not have the deployed LINK_SECRET.
 */

export interface TokenDeps {
  db: Db;
  /** The current ones: links and sessions of others are not valid. */
  owners: Owner[];
  /** The current secret, then the previous one. */
  linkSecrets: string[];
  now: () => EpochMillis;
}

/** How long a sign-in link is valid. */
const LINK_LIFETIME: Millis = 15 * 60_000;

/** Minimum time between two sign-in emails to one owner. */
const EMAIL_INTERVAL: Millis = 5 * 60_000;

/**
 * How many sign-in emails an owner gets within {@link EMAIL_PERIOD} without signing in: anyone can ask for them, and they use
 * up the provider's quota. Beyond that, one in each {@link RESERVE_INTERVAL} remains for networks that got fewer than
 * {@link MAX_UNUSED_OF_NETWORK} within the period.
 */
const MAX_UNUSED_EMAILS = 10;
const EMAIL_PERIOD: Millis = 24 * 3_600_000;
const RESERVE_INTERVAL: Millis = 3_600_000;
const MAX_UNUSED_OF_NETWORK = 3;

/** Who asks for a link: a known browser, by its id, or a network of unknown ones, by its number (`network-hash.server.ts`). */
export type Asker = { browser: string } | { network: number };

/**
 * Stores the hash of an email's id, unless a link was emailed to the owner within {@link EMAIL_INTERVAL}, or
 * {@link MAX_UNUSED_EMAILS} since they last signed in and no reserve is left. Each known browser has these limits for itself;
 * all unknown ones share them.
 *
 * @returns when the link expires, or null if none was stored
 */
export async function storeEmailedToken(
  db: Db,
  { emailId, ownerId, asker }: { emailId: string; ownerId: string; asker: Asker },
  now: EpochMillis,
): Promise<EpochMillis | null> {
  const expiresAt = now + LINK_LIFETIME;
  const { browser, network } = { browser: null, network: null, ...asker };
  const { created_at, token_hash, owner_id, used_at, browser_id, network: networkColumn } = ownerSignInTokens;
  const emailed = (since: EpochMillis, condition?: SQL) =>
    db
      .select({ emails: count() })
      .from(ownerSignInTokens)
      .where(and(eq(owner_id, ownerId), sql`${browser_id} IS ${browser}`, gt(created_at, since), condition));
  // Signing in marks all links of the owner as used.
  const isUnused = isNull(used_at);
  const isOfNetwork = and(isUnused, sql`${networkColumn} = ${network}`);
  const isAllowed = sql`${emailed(now - EMAIL_INTERVAL)} = 0
    AND (${emailed(now - EMAIL_PERIOD, isUnused)} < ${MAX_UNUSED_EMAILS}
      OR (${emailed(now - RESERVE_INTERVAL)} = 0 AND ${emailed(now - EMAIL_PERIOD, isOfNetwork)} < ${MAX_UNUSED_OF_NETWORK}))`;
  const insert = db
    .insert(ownerSignInTokens)
    .select(
      sql`SELECT ${await sha256(emailId)}, ${ownerId}, ${now}, ${expiresAt}, NULL, ${browser}, ${network} WHERE ${isAllowed}`,
    )
    .returning({ token_hash });
  const [, inserted] = await db.batch([deleteOld(db, now), insert]);
  return inserted.length === 0 ? null : expiresAt;
}

/**
 * Creates a sign-in link without an email, for people who can write to the database anyway.
 *
 * @param email the owner's address, as `normaliseEmail` returns it
 */
export async function createSignInLink(
  db: Db,
  { siteUrl, email }: { siteUrl: string; email: string },
  now: EpochMillis,
): Promise<string> {
  const token = randomToken();
  const insert = db.insert(ownerSignInTokens).values({
    token_hash: await sha256(token),
    owner_id: await ownerId(email),
    // So that this link does not count as an emailed one.
    created_at: now - EMAIL_PERIOD,
    expires_at: now + LINK_LIFETIME,
  });
  await db.batch([deleteOld(db, now), insert]);
  return `${siteUrl}/owner/sign-in/${token}`;
}

/** Whether a token can be used to sign in. Read-only, because email scanners open links. */
export async function isSignInTokenValid(deps: TokenDeps, token: string): Promise<boolean> {
  const condition = await isUsable(deps, token);
  if (condition === null) return false;
  const valid = deps.db.select({ one: sql`1` }).from(ownerSignInTokens).where(condition);
  return (await valid).length > 0;
}

/**
 * Consumes a token and with it all other links of the same owner. Atomic: of concurrent requests with links of one owner,
 * one succeeds.
 *
 * @returns the owner, once, within 15 minutes of its creation; otherwise null
 */
export async function consumeSignInToken(deps: TokenDeps, token: string): Promise<Owner | null> {
  const condition = await isUsable(deps, token);
  if (condition === null) return null;
  const { owner_id, used_at } = ownerSignInTokens;
  const owner = deps.db.select({ owner_id }).from(ownerSignInTokens).where(condition);
  const consume = deps.db
    .update(ownerSignInTokens)
    .set({ used_at: deps.now() })
    .where(and(isNull(used_at), eq(owner_id, owner)));
  const [consumed] = await consume.returning({ owner_id });
  return deps.owners.find(({ id }) => id === consumed?.owner_id) ?? null;
}

export function voidLinksStatement(db: Db, ownerId: string, now: EpochMillis) {
  const { owner_id, used_at } = ownerSignInTokens;
  return db
    .update(ownerSignInTokens)
    .set({ used_at: now })
    .where(and(isNull(used_at), eq(owner_id, ownerId)));
}

async function isUsable({ owners, linkSecrets, now }: TokenDeps, token: string) {
  const hashed = isUnsigned(token) ? token : await verifyToken("owner-sign-in:v1", token, linkSecrets);
  if (hashed === null) return null;
  const { token_hash, owner_id, used_at, expires_at, created_at } = ownerSignInTokens;
  const isCurrent = inArray(
    owner_id,
    owners.map(({ id }) => id),
  );
  return and(
    eq(token_hash, await sha256(hashed)),
    isCurrent,
    isNull(used_at),
    gt(expires_at, now()),
    lte(created_at, now()),
  );
}

/** Excludes ids of emails (UUIDs), which must not work without their signature. */
function isUnsigned(token: string): boolean {
  return /^[0-9a-f]{64}$/.test(token);
}

/** Deletes expired links that no longer count as emailed ones. */
function deleteOld(db: Db, now: EpochMillis) {
  const { created_at, expires_at } = ownerSignInTokens;
  return db.delete(ownerSignInTokens).where(and(lt(expires_at, now), lte(created_at, now - EMAIL_PERIOD)));
}
