import { and, eq, gt, lte } from "drizzle-orm";
import { parse, serialize } from "hono/utils/cookie";
import { type TokenDeps, voidLinksStatement } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import type { Session } from "#app/owner/ui/owner-context.ts";
import { ownerCookie } from "#app/owner/ui/owner-cookie.ts";
import { ownerSessions } from "#app/server/db/schema/owner.server.ts";
import { randomToken, sha256 } from "#app/server/hashes/random-token.server.ts";
import { signToken, verifyToken } from "#app/server/hashes/signed-token.server.ts";
import type { Owner } from "#app/server/owners.server.ts";
import { DAY, type EpochMillis, type Millis } from "#app/server/time/units.ts";

/*
 * A session is a row in D1, so that ending it takes effect at once. The signed cookie holds the session's id and when it
 * was last used: using it writes a cookie, never a row.
 */

export interface SessionDeps extends TokenDeps {
  config: { SITE_URL: string };
}

interface CookieContent {
  id: string;
  usedAt: EpochMillis;
}

const SESSION_COOKIE = "owner";

/** How long an owner stays signed in at most, and without opening a page. */
const SESSION_LIFETIME: Millis = 12 * 3_600_000;
const IDLE_LIMIT: Millis = 2 * 3_600_000;

/**
 * How long a browser keeps the cookie of a session, which tells that a form comes from an owner whose session has ended:
 * then it is shown again. The cookie lets no one in by then.
 */
const COOKIE_LIFETIME: Millis = 30 * DAY;

/** How old the time of last use in a cookie may become before it is renewed. */
const RENEWAL_INTERVAL: Millis = 5 * 60_000;

/** Starts a session. @returns its `Set-Cookie` header */
export async function startSession(deps: SessionDeps, owner: Owner): Promise<string> {
  const { db } = deps;
  const id = randomToken();
  const now = deps.now();
  const session = { owner_id: owner.id, created_at: now, expires_at: now + SESSION_LIFETIME };
  await db.batch([
    db.delete(ownerSessions).where(lte(ownerSessions.expires_at, now)),
    db.insert(ownerSessions).values({ session_hash: await sha256(id), ...session }),
  ]);
  return writeCookie(deps, { id, usedAt: now });
}

export async function readSession(deps: SessionDeps, cookies: string | undefined): Promise<Session | null> {
  if (cookies === undefined || !cookies.includes(`${SESSION_COOKIE}=`)) return null;
  const content = await readCookie(deps, cookies);
  const now = deps.now();
  if (content === null || Math.abs(now - content.usedAt) >= IDLE_LIMIT) return null;
  const hash = await sha256(content.id);
  const { session_hash, owner_id, expires_at } = ownerSessions;
  const [found] = await deps.db
    .select({ owner_id })
    .from(ownerSessions)
    .where(and(eq(session_hash, hash), gt(expires_at, now)));
  const owner = deps.owners.find(({ id }) => id === found?.owner_id);
  if (owner === undefined) return null;
  const isRecent = now - content.usedAt < RENEWAL_INTERVAL;
  return { hash, owner, renewal: isRecent ? null : await writeCookie(deps, { ...content, usedAt: now }) };
}

/** Whether the cookies contain one of this site, of a valid session or of one that has ended. Reads no row. */
export async function hasSessionCookie(deps: SessionDeps, cookies: string | undefined): Promise<boolean> {
  const content = cookies === undefined ? null : await readCookie(deps, cookies);
  return content !== null && deps.now() - content.usedAt < COOKIE_LIFETIME;
}

/** Ends a session, including for copies of its cookie. @returns the `Set-Cookie` header that deletes the cookie */
export async function endSession(deps: SessionDeps, { hash }: Session): Promise<string> {
  await deps.db.delete(ownerSessions).where(eq(ownerSessions.session_hash, hash));
  return deleteCookie(deps);
}

/** Ends all sessions of an owner and makes their unused links void. @returns the `Set-Cookie` header as above */
export async function endAllSessions(deps: SessionDeps, owner: Owner): Promise<string> {
  const { db, now } = deps;
  const end = db.delete(ownerSessions).where(eq(ownerSessions.owner_id, owner.id));
  await db.batch([end, voidLinksStatement(db, owner.id, now())]);
  return deleteCookie(deps);
}

async function readCookie({ config, linkSecrets }: SessionDeps, cookies: string): Promise<CookieContent | null> {
  const { name } = cookieOf(config);
  const text = await verifyToken("owner-session:v3", parse(cookies, name)[name] ?? "", linkSecrets);
  const [id, usedAt] = text?.split("-") ?? [];
  return id && usedAt ? { id, usedAt: Number.parseInt(usedAt, 36) } : null;
}

async function writeCookie({ config, linkSecrets }: SessionDeps, { id, usedAt }: CookieContent): Promise<string> {
  const { name, options } = cookieOf(config);
  const token = await signToken("owner-session:v3", `${id}-${usedAt.toString(36)}`, linkSecrets[0] ?? "");
  return serialize(name, token, { ...options, maxAge: COOKIE_LIFETIME / 1_000 });
}

/** The `Set-Cookie` header that deletes the cookie. */
export function deleteCookie({ config }: SessionDeps): string {
  const { name, options } = cookieOf(config);
  return serialize(name, "", { ...options, maxAge: 0, expires: new Date(0) });
}

function cookieOf({ SITE_URL }: SessionDeps["config"]) {
  return ownerCookie(SESSION_COOKIE, SITE_URL, "Lax");
}
