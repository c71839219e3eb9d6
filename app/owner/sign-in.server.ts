import { and, eq, gt, isNull, lt, lte, sql } from "drizzle-orm";
import { type DeliveryDeps, sendOwnerEmail } from "#app/email/deliver.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { ownerEmailUpsert } from "#app/server/db/enqueue-email.server.ts";
import { type BlockedReason, ownerSignInTokens } from "#app/server/db/schema.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { logError } from "#app/server/log.ts";
import { mailboxHash } from "#app/server/mailbox.server.ts";
import { verifyToken } from "#app/server/signed-token.server.ts";
import { type RateLimits, withinRateLimits } from "#app/waitlist/abuse/rate-limits.server.ts";

export interface SignInDeps extends DeliveryDeps {
  limits: RateLimits;
  /** The client's IP address, for rate limits; never stored. */
  client: string;
  countBlocked: (reason: BlockedReason) => void;
}

type TokenDeps = Pick<SignInDeps, "db" | "now"> & { linkSecrets: string[] };

/** How long a sign-in link is valid (milliseconds). */
const LINK_LIFETIME = 15 * 60_000;

/** Minimum time between two sign-in emails (milliseconds). */
const EMAIL_INTERVAL = 5 * 60_000;

/**
 * Emails a sign-in link if the address is the owner's and none was sent recently. Applies the same rate limits as other
 * entry points. Never throws: it runs after the response, which is the same for every address.
 */
export async function sendSignInLink(deps: SignInDeps, typed: unknown): Promise<void> {
  const { limits, client, countBlocked, emailContext } = deps;
  const email = normaliseEmail(typed);
  if (email === null) return;
  const mailbox = await mailboxHash(email, emailContext.hashKey);
  if (!(await withinRateLimits(limits, "owner", client, mailbox))) return countBlocked("rate-limited");
  if (email !== normaliseEmail(emailContext.ownerEmail)) return;
  try {
    const id = await enqueueSignInEmail(deps.db, deps.now());
    if (id !== null) await sendOwnerEmail(deps, id);
  } catch (error) {
    logError("sign-in-email-failed", error);
  }
}

/**
 * Queues a sign-in email and stores the hash of its token, unless one was queued within {@link EMAIL_INTERVAL}. The token
 * itself is stored nowhere: it is derived from the email's id when the email is rendered.
 */
async function enqueueSignInEmail(db: Db, now: number): Promise<string | null> {
  const id = crypto.randomUUID();
  const expiresAt = now + LINK_LIFETIME;
  const { created_at, expires_at, token_hash } = ownerSignInTokens;
  const recent = db
    .select({ one: sql`1` })
    .from(ownerSignInTokens)
    .where(gt(created_at, now - EMAIL_INTERVAL));
  const insert = db
    .insert(ownerSignInTokens)
    .select(sql`SELECT ${await hashId(id)}, ${now}, ${expiresAt}, NULL WHERE NOT EXISTS ${recent}`)
    .returning({ token_hash });
  const [, inserted] = await db.batch([db.delete(ownerSignInTokens).where(lt(expires_at, now)), insert]);
  if (inserted.length === 0) return null;
  await ownerEmailUpsert(db, { id, kind: "sign-in", data: { expiresAt } }, undefined, now);
  return id;
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
  const id = await verifyToken("owner-sign-in:v1", token, linkSecrets);
  if (id === null) return null;
  const { token_hash, used_at, expires_at, created_at } = ownerSignInTokens;
  return and(eq(token_hash, await hashId(id)), isNull(used_at), gt(expires_at, now()), lte(created_at, now()));
}

async function hashId(id: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(id));
  return new Uint8Array(hash).toHex();
}
