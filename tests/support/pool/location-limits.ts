import wranglerToml from "../../../wrangler.toml?raw";

interface Limit {
  limit: number;
  /** Seconds. */
  period: number;
}

/** The rate limits in wrangler.toml, by binding. */
export const rateLimits = new Map<string, Limit>(
  Array.from(
    wranglerToml.matchAll(/^\[\[ratelimits\]\]\nname = "(\w+)"\n.*\nsimple = \{ limit = (\d+), period = (\d+) \}/gm),
    ([, name = "", limit, period]) => [name, { limit: Number(limit), period: Number(period) }],
  ),
);

/**
 * The rate limits of one of Cloudflare's locations. Each counts apart.
 * https://developers.cloudflare.com/workers/runtime-apis/bindings/rate-limit/#locality
 */
export function locationLimits(now: () => number): Record<string, RateLimit> {
  return Object.fromEntries(
    Array.from(rateLimits, ([name, { limit, period }]) => {
      const counts = new Map<string, number>();
      const count = async ({ key }: RateLimitOptions) => {
        const window = `${key} ${Math.floor(now() / 1_000 / period)}`;
        counts.set(window, (counts.get(window) ?? 0) + 1);
        return { success: (counts.get(window) ?? 0) <= limit };
      };
      return [name, { limit: count }];
    }),
  );
}
