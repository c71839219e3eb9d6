import { and, eq, gt, isNull, lt, lte, sql } from "drizzle-orm";
import { DB_TIME_LIMIT, type Db } from "#app/db/client.server.ts";
import { ownerSignIns } from "#app/db/schema.server.ts";
import { withTimeLimit } from "#app/time-limit.ts";

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
export async function keepSignIn(db: Db, tokenHash: string, now: number): Promise<boolean> {
  const { mailed_at, expires_at, token_hash } = ownerSignIns;
  const forget = db.delete(ownerSignIns).where(lt(expires_at, now));
  const recent = db
    .select({ one: sql`1` })
    .from(ownerSignIns)
    .where(gt(mailed_at, now - MAIL_PAUSE));
  const keep = db
    .insert(ownerSignIns)
    .select(sql`SELECT ${tokenHash}, ${now}, ${now + LINK_LIFETIME}, NULL WHERE NOT EXISTS ${recent}`)
    .returning({ token_hash });
  const [, kept] = await inTime(db.batch([forget, keep]));
  return kept.length > 0;
}

/** Whether a link would let its holder in. Changes nothing. */
export async function isSignInOpen(db: Db, tokenHash: string, now: number): Promise<boolean> {
  const open = db.select({ one: sql`1` }).from(ownerSignIns).where(isOpen(tokenHash, now));
  return (await inTime(open)).length > 0;
}

/** Uses a link up. Of two at once only one gets true. */
export async function spendSignIn(db: Db, tokenHash: string, now: number): Promise<boolean> {
  const { token_hash } = ownerSignIns;
  const use = db.update(ownerSignIns).set({ used_at: now }).where(isOpen(tokenHash, now)).returning({ token_hash });
  return (await inTime(use)).length > 0;
}

function isOpen(tokenHash: string, now: number) {
  const { token_hash, used_at, expires_at, mailed_at } = ownerSignIns;
  return and(eq(token_hash, tokenHash), isNull(used_at), gt(expires_at, now), lte(mailed_at, now));
}

function inTime<T>(query: PromiseLike<T>): Promise<T> {
  return withTimeLimit(Promise.resolve(query), DB_TIME_LIMIT, "D1");
}
