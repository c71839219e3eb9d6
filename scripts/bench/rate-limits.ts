/** Rate limits in a Wrangler configuration, by binding. */
export type RateLimitConfig = Record<string, { simple: { limit: number; period: number } }>;

/**
 * Source of a module that wraps a Worker and counts its rate limits in memory, as Cloudflare does. Miniflare's simulation
 * reads a whole SQLite table for each new client, and would dominate a benchmark with many clients. The Worker's log is
 * dropped, because workerd writes each line to a pipe, while the controls log nothing. The entry point `cron` runs the
 * cron job for each request.
 *
 * @param main the Worker's main module
 */
export function countInMemory(main: string, limits: RateLimitConfig): string {
  return `
    import worker from ${JSON.stringify(main)};

    console.log = () => {};

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
        // The Worker caches by the identity of this object.
        bindings ??= { ...env, ...limiters };
        return worker.fetch(request, bindings, execution);
      },
    };
    export const cron = {
      async fetch(_request, env, execution) {
        bindings ??= { ...env, ...limiters };
        await worker.scheduled({ cron: "* * * * *", scheduledTime: Date.now() }, bindings, execution);
        return new Response("ran");
      },
    };
  `;
}
