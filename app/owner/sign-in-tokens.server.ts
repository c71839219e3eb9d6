import { and, eq, gt, isNull, lt, lte, sql } from "drizzle-orm";
import { DB_TIMEOUT, type Db } from "#app/server/db/client.server.ts";
import { ownerSignInTokens } from "#app/server/db/schema.server.ts";
import { withTimeout } from "#app/server/timeout.ts";

/** How long a link lets the owner sign in (milliseconds). */
const LINK_LIFETIME = 15 * 60_000;

/** Between two mails with such a link, whoever asked for them (milliseconds). */
const MAIL_PAUSE = 5 * 60_000;

/**
 * Keeps a new link's hash, unless a link was mailed within {@link MAIL_PAUSE}. One statement decides, so of many at once
 * one mail goes out. Links that are long past are forgotten on the way.
 *
 * @returns whether the link may be mailed
 */
export async function createSignInToken(db: Db, tokenHash: string, now: number): Promise<boolean> {
  const { mailed_at, expires_at, token_hash } = ownerSignInTokens;
  const forget = db.delete(ownerSignInTokens).where(lt(expires_at, now));
  const recent = db
    .select({ one: sql`1` })
    .from(ownerSignInTokens)
    .where(gt(mailed_at, now - MAIL_PAUSE));
  const keep = db
    .insert(ownerSignInTokens)
    .select(sql`SELECT ${tokenHash}, ${now}, ${now + LINK_LIFETIME}, NULL WHERE NOT EXISTS ${recent}`)
    .returning({ token_hash });
  const [, kept] = await inTime(db.batch([forget, keep]));
  return kept.length > 0;
}

/** Whether a link would let its holder in. Changes nothing. */
export async function isTokenHashValid(db: Db, tokenHash: string, now: number): Promise<boolean> {
  const open = db.select({ one: sql`1` }).from(ownerSignInTokens).where(isOpen(tokenHash, now));
  return (await inTime(open)).length > 0;
}

/** Uses a link up. Of two at once only one gets true. */
export async function consumeTokenHash(db: Db, tokenHash: string, now: number): Promise<boolean> {
  const { token_hash } = ownerSignInTokens;
  const use = db
    .update(ownerSignInTokens)
    .set({ used_at: now })
    .where(isOpen(tokenHash, now))
    .returning({ token_hash });
  return (await inTime(use)).length > 0;
}

function isOpen(tokenHash: string, now: number) {
  const { token_hash, used_at, expires_at, mailed_at } = ownerSignInTokens;
  return and(eq(token_hash, tokenHash), isNull(used_at), gt(expires_at, now), lte(mailed_at, now));
}

function inTime<T>(query: PromiseLike<T>): Promise<T> {
  return withTimeout(Promise.resolve(query), DB_TIMEOUT, "D1");
}
