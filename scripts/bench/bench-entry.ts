/** Rate limits in a Wrangler configuration, by binding. */
export type RateLimitConfig = Record<string, { simple: { limit: number; period: number } }>;

/** A round trip to D1: one statement, or a batch. */
export type D1Call = { sql: string; params: unknown[] }[];

/** Where a site that records its calls to D1 returns those since the last request to it. */
export const RECORDED = "/recorded-d1-calls";

/**
 * Source of a module that wraps a Worker for a benchmark. The entry point `cron` runs the cron job for each request. What
 * Miniflare would do at length on the Worker's own thread is replaced:
 *
 * - Rate limits are counted in memory, as Cloudflare does. Miniflare reads a whole SQLite table for each new client.
 * - Emails are accepted in memory. Miniflare parses them and writes them to files.
 * - The Cache API finds nothing, as on workers.dev.
 * - The log is dropped, because workerd writes each line to a pipe, while the controls log nothing.
 *
 * @param main the Worker's main module
 */
export function benchEntry(main: string, limits: RateLimitConfig, recordsD1: boolean): string {
  return `
    import worker from ${JSON.stringify(main)};

    console.log = () => {};
    globalThis.caches = { open: async () => ({ match: async () => undefined, put: async () => {} }) };

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

    const EMAIL = { send: async () => ({ messageId: crypto.randomUUID() }) };

    let calls = [];
    function recording(db) {
      const wrap = (original, sql, params) => {
        const run = (method) => (...options) => {
          calls.push([{ sql, params }]);
          return original[method](...options);
        };
        const bind = (...bound) => wrap(original.bind(...bound), sql, bound);
        return { original, call: { sql, params }, bind, all: run("all"), raw: run("raw"), run: run("run"), first: run("first") };
      };
      return {
        prepare: (sql) => wrap(db.prepare(sql), sql, []),
        batch(statements) {
          calls.push(statements.map(({ call }) => call));
          return db.batch(statements.map(({ original }) => original));
        },
      };
    }

    // The Worker caches by the identity of this object.
    let bindings;
    const bind = (env) => (bindings ??= { ...env, ...limiters, EMAIL${recordsD1 ? ", DB: recording(env.DB)" : ""} });
    function recorded(request) {
      if (!request.url.endsWith(${JSON.stringify(RECORDED)})) return null;
      const response = Response.json(calls);
      calls = [];
      return response;
    }

    export default {
      fetch: (request, env, execution) => recorded(request) ?? worker.fetch(request, bind(env), execution),
    };
    export const cron = {
      async fetch(request, env, execution) {
        const response = recorded(request);
        if (response !== null) return response;
        await worker.scheduled({ cron: "* * * * *", scheduledTime: Date.now() }, bind(env), execution);
        return new Response("ran");
      },
    };
  `;
}
