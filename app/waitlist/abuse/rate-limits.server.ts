import { logError } from "#app/server/log.ts";
import { withTimeout } from "#app/server/timeout.ts";

/**
 * The rates set in `wrangler.toml`: 30 a minute per client, 10 a minute per address, and 5 a minute per client without
 * a Turnstile verdict.
 */
export interface RateLimits {
  client: RateLimit;
  address: RateLimit;
  strict: RateLimit;
}

/** Counted separately, so that the request for the welcome email does not use up a visitor's sign-up attempts. */
export type EntryPoint = "signup" | "welcome" | "owner";

/** Period of all rate limits (seconds), and so the longest wait. */
export const RATE_LIMIT_PERIOD = 60;

const TIMEOUT = 1_000;

/**
 * Counts an attempt and reports whether it is within the limits.
 *
 * Fails open: losing a sign-up is worse than allowing one attempt too many.
 */
export function withinRateLimits(
  limits: RateLimits,
  entryPoint: EntryPoint,
  client: string,
  email: string,
): Promise<boolean> {
  return allow(entryPoint, () => [
    limits.client.limit({ key: `${entryPoint}:${clientKey(client)}` }),
    limits.address.limit({ key: `${entryPoint}:${email}` }),
  ]);
}

/** The same for the strict limit, which stands in for Turnstile. */
export function withinStrictLimit(limits: RateLimits, entryPoint: EntryPoint, client: string): Promise<boolean> {
  return allow(entryPoint, () => [limits.strict.limit({ key: `${entryPoint}:${clientKey(client)}` })]);
}

async function allow(entryPoint: EntryPoint, counts: () => Promise<RateLimitOutcome>[]): Promise<boolean> {
  try {
    const outcomes = await withTimeout(Promise.all(counts()), TIMEOUT, "rate limits");
    const allowed = outcomes.map(({ success }) => success);
    if (!allowed.every((value) => typeof value === "boolean")) throw new Error("invalid response from rate limits");
    return allowed.every(Boolean);
  } catch (error) {
    logError("rate-limit-failed", error, { entryPoint });
    return true;
  }
}

/** The rate limit key for an IP address. A household or server gets a whole IPv6 /64, so that counts as one client. */
export function clientKey(ip: string): string {
  if (!ip.includes(":")) return ip;
  const [head = "", tail] = ip.toLowerCase().split("::");
  const groups = head.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(":").length;
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill("0"), ...(tail?.split(":") ?? [])];
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, "") || "0")
    .join(":")}::/64`;
}
