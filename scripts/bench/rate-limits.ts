/** Rate limits as a Wrangler configuration has them, by binding. */
export type RateLimitConfig = Record<string, { simple: { limit: number; period: number } }>;

/**
 * Source of a module that stands before a Worker and counts its rate limits in memory, as the platform does. Miniflare's
 * stand-in keeps them in a SQLite file and reads the whole of it for each client it has not seen before; under a load of
 * new clients it would be all that is measured.
 *
 * @param main the Worker's main module
 */
export function countInMemory(main: string, limits: RateLimitConfig): string {
  return `
    import worker from ${JSON.stringify(main)};

    function limiter(limit, period) {
      let counts = new Map();
      let current = 0;
      return {
        async limit({ key }) {
          const epoch = Math.floor(Date.now() / (period * 1000));
          if (epoch !== current) counts = new Map();
          current = epoch;
          const count = counts.get(key) ?? 0;
          if (count >= limit) return { success: false };
          counts.set(key, count + 1);
          return { success: true };
        },
      };
    }

    const limiters = Object.fromEntries(
      Object.entries(${JSON.stringify(limits)}).map(([name, { simple }]) => [name, limiter(simple.limit, simple.period)]),
    );
    let bindings;
    export default {
      fetch(request, env, execution) {
        // One object for all requests, since the Worker keeps things by it.
        bindings ??= { ...env, ...limiters };
        return worker.fetch(request, bindings, execution);
      },
    };
  `;
}
