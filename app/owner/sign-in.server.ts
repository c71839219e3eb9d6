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
  facts: Pick<EmailContext, "siteUrl" | "replyTo">;
  limits: RateLimits;
  /** The client's IP address, for counting; never kept. */
  client: string;
  countBlocked: (reason: BlockedReason) => void;
  now: () => number;
}

/**
 * Mails a link to the owner, if the address is the owner's and no link was mailed a moment ago. Tries are limited as at
 * the other doors. Never throws and tells
 * nothing: it is to be run after the answer, which is the same for every address.
 */
export async function sendSignInLink(deps: SignInDeps, typed: unknown): Promise<void> {
  const { db, mailer, ownerEmail, facts, limits, client, countBlocked, now } = deps;
  const email = normaliseEmail(typed);
  if (email === null) return;
  if (!(await withinRateLimits(limits, "owner", client, email))) return countBlocked("rate-limited");
  if (email !== ownerEmail?.toLowerCase()) return;
  try {
    if (mailer === null) throw new Error("MAIL_FROM is not set");
    const token = crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url", omitPadding: true });
    if (!(await createSignInToken(db, await hashOf(token), now()))) return;
    const letter = signInEmail({ siteUrl: facts.siteUrl, url: `${facts.siteUrl}/owner/sign-in/${token}` });
    const headers = { "Auto-Submitted": "auto-generated" };
    await mailer.send({ to: ownerEmail, replyTo: facts.replyTo, ...letter, headers }, crypto.randomUUID());
    logInfo("sign-in-email-sent");
  } catch (error) {
    logError("sign-in-email-failed", error);
  }
}

/** Whether a link's token would let its holder in. Changes nothing: mail scanners open links. */
export async function isSignInTokenValid({ db, now }: Pick<SignInDeps, "db" | "now">, token: string): Promise<boolean> {
  return isToken(token) && (await isTokenHashValid(db, await hashOf(token), now()));
}

/**
 * Uses a link's token up.
 *
 * @returns whether it lets its holder in: true once, within a quarter of an hour
 */
export async function consumeSignInToken({ db, now }: Pick<SignInDeps, "db" | "now">, token: string): Promise<boolean> {
  return isToken(token) && (await consumeTokenHash(db, await hashOf(token), now()));
}

function isToken(token: string): boolean {
  return /^[\w-]{43}$/.test(token);
}

/** A token is random and long, so a plain hash of it cannot be turned round. */
async function hashOf(token: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return new Uint8Array(hash).toHex();
}
