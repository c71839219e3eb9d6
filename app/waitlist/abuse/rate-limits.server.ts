import { logError } from "#app/server/log.ts";
import { withTimeout } from "#app/server/timeout.ts";

/**
 * Counters with the rates of `wrangler.toml`: 30 a minute for a client, 10 a minute for an address, and 5 a minute for
 * a client of whom Turnstile knows nothing.
 */
export interface RateLimits {
  client: RateLimit;
  address: RateLimit;
  strict: RateLimit;
}

/** The doors count apart, so that a sign-up's own request for its mail does not use up the visitor's tries. */
export type EntryPoint = "signup" | "welcome" | "owner";

/** The period of all counters, which is the longest anybody has to wait (seconds). */
export const RATE_LIMIT_PERIOD = 60;

const TIMEOUT = 1_000;

/**
 * Counts one try and says whether it is within the limits.
 *
 * A counter that fails lets the try pass: losing a sign-up is worse than one try too many.
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

/** The same for the limit that takes Turnstile's place. */
export function withinStrictLimit(limits: RateLimits, entryPoint: EntryPoint, client: string): Promise<boolean> {
  return allow(entryPoint, () => [limits.strict.limit({ key: `${entryPoint}:${clientKey(client)}` })]);
}

async function allow(entryPoint: EntryPoint, tries: () => Promise<RateLimitOutcome>[]): Promise<boolean> {
  try {
    const outcomes = await withTimeout(Promise.all(tries()), TIMEOUT, "rate limits");
    const answers = outcomes.map(({ success }) => success);
    if (!answers.every((answer) => typeof answer === "boolean")) throw new Error("rate limits answered nonsense");
    return answers.every(Boolean);
  } catch (error) {
    logError("rate-limit-failed", error, { entryPoint });
    return true;
  }
}

/** One household or server gets a whole IPv6 /64, so that is what counts as one client. */
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
