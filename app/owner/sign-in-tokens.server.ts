import { and, eq, gt, isNull, lt, lte, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { ownerSignInTokens } from "#app/server/db/schema.server.ts";
import { verifyToken } from "#app/server/signed-token.server.ts";

/*
 * D1 stores only hashes of what signs the owner in. The token of an emailed link is the email's id with a signature,
 * because the id itself is in the outbox. The token of a link from the command line is 256 random bits without a
 * signature, because the command line does not have the deployed LINK_SECRET.
 */

interface TokenDeps {
  db: Db;
  /** The current secret, then the previous one. */
  linkSecrets: string[];
  /** Milliseconds since 1970. */
  now: () => number;
}

/** How long a sign-in link is valid (milliseconds). */
const LINK_LIFETIME = 15 * 60_000;

/** Minimum time between two sign-in emails (milliseconds). */
const EMAIL_INTERVAL = 5 * 60_000;

/**
 * Stores the hash of an email's id, unless a link was emailed within {@link EMAIL_INTERVAL}.
 *
 * @returns when the link expires, or null if none was stored
 */
export async function storeEmailedToken(db: Db, emailId: string, now: number): Promise<number | null> {
  const expiresAt = now + LINK_LIFETIME;
  const { created_at, token_hash } = ownerSignInTokens;
  const recent = db
    .select({ one: sql`1` })
    .from(ownerSignInTokens)
    .where(gt(created_at, now - EMAIL_INTERVAL));
  const insert = db
    .insert(ownerSignInTokens)
    .select(sql`SELECT ${await hash(emailId)}, ${now}, ${expiresAt}, NULL WHERE NOT EXISTS ${recent}`)
    .returning({ token_hash });
  const [, inserted] = await db.batch([deleteExpired(db, now), insert]);
  return inserted.length === 0 ? null : expiresAt;
}

/**
 * Creates a sign-in link without an email, for people who can write to the database anyway.
 *
 * @param siteUrl origin of the site that uses the database
 */
export async function createSignInLink(db: Db, siteUrl: string, now: number): Promise<string> {
  const token = toHex(crypto.getRandomValues(new Uint8Array(32)));
  const insert = db.insert(ownerSignInTokens).values({
    token_hash: await hash(token),
    // So that this link does not delay the next emailed one.
    created_at: now - EMAIL_INTERVAL,
    expires_at: now + LINK_LIFETIME,
  });
  await db.batch([deleteExpired(db, now), insert]);
  return `${siteUrl}/owner/sign-in/${token}`;
}

/** Whether a token can be used to sign in. Read-only, because email scanners open links. */
export async function isSignInTokenValid(deps: TokenDeps, token: string): Promise<boolean> {
  const condition = await isUsable(deps, token);
  if (condition === null) return false;
  const valid = deps.db.select({ one: sql`1` }).from(ownerSignInTokens).where(condition);
  return (await valid).length > 0;
}

/** Consumes a token. Atomic. @returns true once, within 15 minutes of its creation */
export async function consumeSignInToken(deps: TokenDeps, token: string): Promise<boolean> {
  const condition = await isUsable(deps, token);
  if (condition === null) return false;
  const { token_hash } = ownerSignInTokens;
  const consume = deps.db.update(ownerSignInTokens).set({ used_at: deps.now() }).where(condition);
  return (await consume.returning({ token_hash })).length > 0;
}

async function isUsable({ linkSecrets, now }: TokenDeps, token: string) {
  const hashed = isUnsigned(token) ? token : await verifyToken("owner-sign-in:v1", token, linkSecrets);
  if (hashed === null) return null;
  const { token_hash, used_at, expires_at, created_at } = ownerSignInTokens;
  return and(eq(token_hash, await hash(hashed)), isNull(used_at), gt(expires_at, now()), lte(created_at, now()));
}

/** Excludes ids of emails (UUIDs), which must not work without their signature. */
function isUnsigned(token: string): boolean {
  return /^[0-9a-f]{64}$/.test(token);
}

function deleteExpired(db: Db, now: number) {
  return db.delete(ownerSignInTokens).where(lt(ownerSignInTokens.expires_at, now));
}

async function hash(value: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(value))));
}

/** The owner's commands run on Node 24, which has no Uint8Array.prototype.toHex. */
function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
