import type { EmailContext } from "#app/email/entry-emails.server.ts";
import type { Mailer } from "#app/email/mailer.server.ts";
import { signInEmail } from "#app/owner/sign-in-email.server.tsx";
import { consumeTokenHash, createSignInToken, isTokenHashValid } from "#app/owner/sign-in-tokens.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { BlockedReason } from "#app/server/db/schema.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { logError, logInfo } from "#app/server/log.ts";
import { type RateLimits, withinRateLimits } from "#app/waitlist/abuse/rate-limits.server.ts";

export interface SignInDeps {
  db: Db;
  mailer: Mailer | null;
  ownerEmail: string | null;
  emailContext: Pick<EmailContext, "siteUrl" | "replyTo">;
  limits: RateLimits;
  /** The client's IP address, for rate limits; never stored. */
  client: string;
  countBlocked: (reason: BlockedReason) => void;
  now: () => number;
}

/**
 * Emails a sign-in link if the address is the owner's and none was sent recently. Applies the same rate limits as other
 * entry points. Never throws: it runs after the response, which is the same for every address.
 */
export async function sendSignInLink(deps: SignInDeps, typed: unknown): Promise<void> {
  const { db, mailer, ownerEmail, emailContext, limits, client, countBlocked, now } = deps;
  const email = normaliseEmail(typed);
  if (email === null) return;
  if (!(await withinRateLimits(limits, "owner", client, email))) return countBlocked("rate-limited");
  if (email !== ownerEmail?.toLowerCase()) return;
  try {
    if (mailer === null) throw new Error("MAIL_FROM is not set");
    const token = crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url", omitPadding: true });
    if (!(await createSignInToken(db, await hashToken(token), now()))) return;
    const { siteUrl, replyTo } = emailContext;
    const message = signInEmail({ siteUrl, url: `${siteUrl}/owner/sign-in/${token}` });
    const headers = { "Auto-Submitted": "auto-generated" };
    await mailer.send({ to: ownerEmail, replyTo, ...message, headers }, crypto.randomUUID());
    logInfo("sign-in-email-sent");
  } catch (error) {
    logError("sign-in-email-failed", error);
  }
}

/** Whether a token can be used to sign in. Read-only, because email scanners open links. */
export async function isSignInTokenValid({ db, now }: Pick<SignInDeps, "db" | "now">, token: string): Promise<boolean> {
  return isToken(token) && (await isTokenHashValid(db, await hashToken(token), now()));
}

/** Consumes a token. @returns true once, within 15 minutes of its creation */
export async function consumeSignInToken({ db, now }: Pick<SignInDeps, "db" | "now">, token: string): Promise<boolean> {
  return isToken(token) && (await consumeTokenHash(db, await hashToken(token), now()));
}

function isToken(token: string): boolean {
  return /^[\w-]{43}$/.test(token);
}

/** Unsalted: a random 256-bit token cannot be guessed from its hash. */
async function hashToken(token: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return new Uint8Array(hash).toHex();
}
