import { logError } from "#app/server/log.ts";
import { withTimeout } from "#app/server/timeout.ts";
import { type Network, networksOf } from "#app/waitlist/abuse/networks.ts";

/**
 * The rates set in `wrangler.toml`, in attempts a minute: 30 per client, 60 per IPv6 /56, 120 per IPv6 /48, 10 per
 * mailbox; and without a Turnstile verdict 5 per client and 20 for the whole site. Cloudflare keeps the counts; nothing is
 * stored here.
 */
export type RateLimits = Record<Network | "address" | "strict" | "unverified", RateLimit>;

/** Counted separately, so that the request for the welcome email does not use up a visitor's sign-up attempts. */
export type EntryPoint = "signup" | "welcome" | "answers" | "your-data" | "owner" | "embed" | "fair";

/** Period of all rate limits (seconds), and so the longest wait. */
export const RATE_LIMIT_PERIOD = 60;

const TIMEOUT = 1_000;

/**
 * Counts an attempt and reports whether it is within the limits.
 *
 * Fails open: losing a sign-up is worse than allowing one attempt too many.
 *
 * @param mailboxHash as `hashMailbox` returns it, or the token that stands for one
 */
export function withinRateLimits(
  limits: RateLimits,
  entryPoint: EntryPoint,
  clientIp: string,
  mailboxHash: string,
): Promise<boolean> {
  return allow(limits, entryPoint, [...networksOf(clientIp), ["address", mailboxHash]]);
}

/** The same for one key, such as a mailbox's hash, whatever the client. */
export function withinKeyLimit(limits: RateLimits, entryPoint: EntryPoint, key: string): Promise<boolean> {
  return allow(limits, entryPoint, [["address", key]]);
}

/** The same for the client and its networks only. */
export function withinClientLimits(limits: RateLimits, entryPoint: EntryPoint, clientIp: string): Promise<boolean> {
  return allow(limits, entryPoint, networksOf(clientIp));
}

/**
 * The same for the mailbox, after {@link withinClientLimits}. Attempts that Turnstile has not verified also share one
 * allowance.
 */
export function withinMailboxLimits(
  limits: RateLimits,
  entryPoint: EntryPoint,
  { clientIp, mailboxHash, verified }: { clientIp: string; mailboxHash: string; verified: boolean | null },
): Promise<boolean> {
  if (verified !== false) return allow(limits, entryPoint, [["address", mailboxHash]]);
  return allow(limits, entryPoint, [
    ["strict", networksOf(clientIp)[0][1]],
    ["address", mailboxHash],
    ["unverified", "all"],
  ]);
}

/**
 * The same for one of the other limits of `wrangler.toml`. @param entryPoint for the log
 *
 * @public for features that can be deleted
 */
export function withinLimit(limit: RateLimit, entryPoint: string, key: string): Promise<boolean> {
  return allowAll([[limit, key]], entryPoint);
}

function allow(
  limits: RateLimits,
  entryPoint: EntryPoint,
  counted: [name: keyof RateLimits, key: string][],
): Promise<boolean> {
  return allowAll(
    counted.map(([name, key]) => [limits[name], `${entryPoint}:${key}`]),
    entryPoint,
  );
}

/** Counts in turn, so that a blocked client uses up nothing of a limit that it shares with others. */
async function allowAll(counted: [limit: RateLimit, key: string][], entryPoint: string): Promise<boolean> {
  const count = async () => {
    for (const [limit, key] of counted) {
      const { success } = await limit.limit({ key });
      if (typeof success !== "boolean") throw new Error("invalid response from rate limits");
      if (!success) return false;
    }
    return true;
  };
  try {
    return await withTimeout(count(), TIMEOUT, "rate limits");
  } catch (error) {
    logError("rate-limit-failed", error, { entryPoint });
    return true;
  }
}
