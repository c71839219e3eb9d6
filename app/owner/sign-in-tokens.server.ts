import { and, eq, gt, isNull, lt, lte, sql } from "drizzle-orm";
import { DB_TIMEOUT, type Db } from "#app/server/db/client.server.ts";
import { ownerSignInTokens } from "#app/server/db/schema.server.ts";
import { withTimeout } from "#app/server/timeout.ts";

/** How long a sign-in link is valid (milliseconds). */
const LINK_LIFETIME = 15 * 60_000;

/** Minimum time between two sign-in emails (milliseconds). */
const EMAIL_INTERVAL = 5 * 60_000;

/**
 * Stores a token's hash unless an email was sent within {@link EMAIL_INTERVAL}, and deletes expired tokens. Atomic: of
 * several concurrent callers, only one gets true.
 *
 * @returns whether to send the email
 */
export async function createSignInToken(db: Db, tokenHash: string, now: number): Promise<boolean> {
  const { mailed_at, expires_at, token_hash } = ownerSignInTokens;
  const deleteExpired = db.delete(ownerSignInTokens).where(lt(expires_at, now));
  const recent = db
    .select({ one: sql`1` })
    .from(ownerSignInTokens)
    .where(gt(mailed_at, now - EMAIL_INTERVAL));
  const insert = db
    .insert(ownerSignInTokens)
    .select(sql`SELECT ${tokenHash}, ${now}, ${now + LINK_LIFETIME}, NULL WHERE NOT EXISTS ${recent}`)
    .returning({ token_hash });
  const [, inserted] = await withDbTimeout(db.batch([deleteExpired, insert]));
  return inserted.length > 0;
}

/** Whether a token can be used to sign in. Read-only. */
export async function isTokenHashValid(db: Db, tokenHash: string, now: number): Promise<boolean> {
  const valid = db.select({ one: sql`1` }).from(ownerSignInTokens).where(isValid(tokenHash, now));
  return (await withDbTimeout(valid)).length > 0;
}

/** Consumes a token. Atomic: only one of several concurrent callers gets true. */
export async function consumeTokenHash(db: Db, tokenHash: string, now: number): Promise<boolean> {
  const { token_hash } = ownerSignInTokens;
  const consume = db
    .update(ownerSignInTokens)
    .set({ used_at: now })
    .where(isValid(tokenHash, now))
    .returning({ token_hash });
  return (await withDbTimeout(consume)).length > 0;
}

function isValid(tokenHash: string, now: number) {
  const { token_hash, used_at, expires_at, mailed_at } = ownerSignInTokens;
  return and(eq(token_hash, tokenHash), isNull(used_at), gt(expires_at, now), lte(mailed_at, now));
}

function withDbTimeout<T>(query: PromiseLike<T>): Promise<T> {
  return withTimeout(Promise.resolve(query), DB_TIMEOUT, "D1");
}
