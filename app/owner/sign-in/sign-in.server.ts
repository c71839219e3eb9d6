import { type DeliveryDeps, sendEmail } from "#app/email/sender.server.ts";
import { knownBrowser } from "#app/owner/sign-in/known-browser.server.ts";
import { type Asker, storeEmailedToken } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { hashNetwork } from "#app/server/abuse/network-hash.server.ts";
import { type RateLimits, withinKeyLimit, withinRateLimits } from "#app/server/abuse/rate-limits.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { ownerEmailUpsert } from "#app/server/db/enqueue-email.server.ts";
import type { BlockedReason } from "#app/server/db/schema/statistics.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { hashMailbox } from "#app/server/hashes/mailbox.server.ts";
import { logError, logSampled, logWarning } from "#app/server/log.ts";
import { ownerId } from "#app/server/owners.server.ts";

export interface SignInDeps extends DeliveryDeps {
  linkSecrets: string[];
  config: { SITE_URL: string };
  limits: RateLimits;
  /** The client's IP address, for rate limits; never stored. */
  clientIp: string;
  countBlocked: (reason: BlockedReason) => void;
}

/**
 * Emails a sign-in link if the address is an owner's and has not been sent too many. Applies the same rate limits as other
 * entry points, and to a known browser only its own. Never throws: it runs after the response, which is the same for every
 * address.
 */
export async function sendSignInLink(deps: SignInDeps, received: unknown, cookies: string | undefined): Promise<void> {
  const { limits, clientIp, countBlocked, emailContext } = deps;
  const email = normaliseEmail(received);
  if (email === null) return;
  const isOwner = emailContext.ownerEmails.includes(email);
  const owner = await ownerId(email);
  const browser = isOwner ? await knownBrowser(deps, owner, cookies) : null;
  const isWithinLimits =
    browser === null
      ? await withinRateLimits(limits, "owner", clientIp, await hashMailbox(email, emailContext.hashKey))
      : await withinKeyLimit(limits, "owner", browser);
  if (!isWithinLimits) return countBlocked(isOwner ? "sign-in" : "rate-limited");
  if (!isOwner) return logSampled("info", "owner-access-refused", { reason: "address" });
  try {
    const asker = browser === null ? { network: await hashNetwork(clientIp, emailContext.hashKey) } : { browser };
    const id = await enqueueSignInEmail(deps.db, { owner, asker }, deps.now());
    if (id === null) {
      logSampled("warn", "owner-access-refused", { reason: "too-many-links" });
      return countBlocked("sign-in");
    }
    if (deps.mailer === null) logWarning("email-waits", { reason: "MAIL_FROM is not set" });
    // The owner may be on the way to what caused the pause.
    await sendEmail(deps, { id }, { despitePause: true });
  } catch (error) {
    logError("sign-in-email-failed", error);
  }
}

/** The email's token is stored nowhere: it is derived from the email's id when the email is rendered. */
async function enqueueSignInEmail(
  db: Db,
  { owner, asker }: { owner: string; asker: Asker },
  now: number,
): Promise<string | null> {
  const id = crypto.randomUUID();
  const expiresAt = await storeEmailedToken(db, { emailId: id, ownerId: owner, asker }, now);
  if (expiresAt === null) return null;
  await ownerEmailUpsert(db, "sign-in", [{ id, ownerId: owner, data: { expiresAt } }], undefined, now);
  return id;
}
