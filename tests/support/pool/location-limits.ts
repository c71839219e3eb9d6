import { env } from "cloudflare:test";
import { TestRunner } from "vitest";
import { perEnv } from "#app/server/per-env.ts";
import wranglerToml from "../../../wrangler.toml?raw";

/** The rate limits in wrangler.toml, by binding: how many attempts they allow in a period (seconds). */
export const rateLimits = new Map(
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

const ofTest = new WeakMap<object, Record<string, RateLimit>>();

/**
 * Limits that sites have in place of the platform's, whose windows are minutes of the clock: a test that passes from one
 * minute to the next would have twice as many attempts. Time stands still for these. Each test starts with new ones, which
 * its sites share as they share the database.
 */
export const timelessLimits = Object.fromEntries(
  Array.from(rateLimits.keys(), (name) => {
    const limit = (options: RateLimitOptions) => {
      const test = TestRunner.getCurrentTest() ?? env;
      const limits = ofTest.get(test) ?? locationLimits(() => 0);
      ofTest.set(test, limits);
      return (limits[name] as RateLimit).limit(options);
    };
    return [name, { limit }];
  }),
);

/** The same bindings, but for those of the platform's rate limits. The same for the same, as an isolate keeps its memory. */
export const withTimelessLimits = perEnv(
  (bindings: Env): Env =>
    new Proxy(bindings, {
      get(target, name) {
        const value = Reflect.get(target, name);
        return typeof name === "string" && value === Reflect.get(env, name) ? (timelessLimits[name] ?? value) : value;
      },
    }),
);
