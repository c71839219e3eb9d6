import { type Network, networksOf } from "#app/server/abuse/networks.ts";
import { logError } from "#app/server/log.ts";
import { withTimeout } from "#app/server/time/timeout.ts";

/**
 * The rates set in `wrangler.toml`, in attempts a minute: 30 per client, 60 per IPv6 /56, 120 per IPv6 /48, 10 per
 * mailbox; and without a Turnstile verdict 5 per client and 20 for the whole site. Cloudflare keeps the counts; nothing is
 * stored here.
 */
export type RateLimits = Record<Network | "address" | "strict" | "unverified", RateLimit>;

/** Counted separately, so that the request for the welcome email does not use up a visitor's sign-up attempts. */
export type EntryPoint = "signup" | "welcome" | "answers" | "your-data" | "owner" | "embed" | "fair" | "api";

/** Period of all rate limits (seconds), and so the longest wait. */
export const RATE_LIMIT_PERIOD = 60;

const TIMEOUT = 1_000;

/**
 * Counts an attempt. Fails open: losing a sign-up is worse than allowing one attempt too many.
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

export function withinClientLimits(limits: RateLimits, entryPoint: EntryPoint, clientIp: string): Promise<boolean> {
  return allow(limits, entryPoint, networksOf(clientIp));
}

/** As {@link withinClientLimits}. @returns the network whose limit is exceeded, as {@link limitKey} names it; null within all */
export function exceededNetwork(limits: RateLimits, entryPoint: EntryPoint, clientIp: string): Promise<string | null> {
  return exceeded(limits, entryPoint, networksOf(clientIp));
}

export function limitKey(entryPoint: EntryPoint, key: string): string {
  return `${entryPoint}:${key}`;
}

/** After {@link withinClientLimits}. Attempts that Turnstile has not verified also share one allowance. */
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

/** For the other limits of `wrangler.toml`. @public for features that can be deleted */
export async function withinLimit(limit: RateLimit, entryPoint: string, key: string): Promise<boolean> {
  return (await firstExceeded([[limit, key]], entryPoint)) === null;
}

type Counted = [name: keyof RateLimits, key: string][];

async function allow(limits: RateLimits, entryPoint: EntryPoint, counted: Counted): Promise<boolean> {
  return (await exceeded(limits, entryPoint, counted)) === null;
}

function exceeded(limits: RateLimits, entryPoint: EntryPoint, counted: Counted): Promise<string | null> {
  const keys = counted.map(([name, key]): [RateLimit, string] => [limits[name], limitKey(entryPoint, key)]);
  return firstExceeded(keys, entryPoint);
}

/** Counts in turn, so that a blocked client uses up nothing of a limit that it shares with others. */
async function firstExceeded(counted: [limit: RateLimit, key: string][], entryPoint: string): Promise<string | null> {
  const count = async () => {
    for (const [limit, key] of counted) {
      const { success } = await limit.limit({ key });
      if (typeof success !== "boolean") throw new Error("invalid response from rate limits");
      if (!success) return key;
    }
    return null;
  };
  try {
    return await withTimeout(count(), TIMEOUT, "rate limits");
  } catch (error) {
    logError("rate-limit-failed", error, { entryPoint });
    return null;
  }
}
