/** A call of D1: its method and statements, and what it returned. */
export interface D1Call {
  call: string;
  statements: { sql: string; parameters: (string | number | null)[] }[];
  result: unknown;
}

/** Runs the cron job of a site. */
export const CRON = "/bench/cron";

/** Returns the calls of D1 that a site has recorded. */
export const CALLS = "/bench/calls";

/**
 * Source of a module that wraps a Worker for a benchmark. What Miniflare would do at length on the Worker's own thread is
 * replaced:
 *
 * - Rate limits let everyone through. Miniflare reads a whole SQLite table for each new client.
 * - Emails are accepted in memory. Miniflare parses them and writes them to files.
 * - The Cache API finds nothing, as on workers.dev.
 * - The log is dropped, because workerd writes each line to a pipe, while the controls log nothing.
 * - D1, which runs elsewhere at Cloudflare, answers from memory where a call was recorded. All others are recorded.
 *
 * @param main the Worker's main module
 * @param limits the names of its rate limits
 * @param calls of an earlier run; null leaves D1 as it is
 * @param latency of D1 in milliseconds, if it is not replayed. Without any, workerd reads no request while another one
 *   queries: its D1 answers within the process, and it looks for input only once nothing else is left to do
 */
export function benchEntry(main: string, limits: string[], calls: D1Call[] | null, latency = 0): string {
  return `
    import worker from ${JSON.stringify(main)};

    console.log = () => {};
    globalThis.caches = { open: async () => ({ match: async () => undefined, put: async () => {} }) };

    const limiter = { limit: async () => ({ success: true }) };
    const limiters = Object.fromEntries(${JSON.stringify(limits)}.map((name) => [name, limiter]));
    const EMAIL = { send: async () => ({ messageId: crypto.randomUUID() }) };

    const calls = JSON.parse(${JSON.stringify(JSON.stringify(calls))});
    const recorded = [];
    async function answer(method, statements, ask) {
      if (calls === null) return scheduler.wait(${latency}).then(ask);
      const call = method + statements.map(({ sql }) => sql).join();
      const known = calls.findIndex((earlier) => earlier.call === call);
      if (known >= 0) return calls.splice(known, 1)[0].result;
      const result = await ask();
      recorded.push({ call, statements: statements.map(({ sql, parameters }) => ({ sql, parameters })), result });
      return result;
    }
    function statement(original, sql, parameters) {
      const call = (method) => () => answer(method, [{ sql, parameters }], () => original[method]());
      const bind = (...bound) => statement(original.bind(...bound), sql, bound);
      return { original, sql, parameters, bind, all: call("all"), raw: call("raw"), run: call("run") };
    }
    const answering = (db) => ({
      prepare: (sql) => statement(db.prepare(sql), sql, []),
      batch: (all) => answer("batch", all, () => db.batch(all.map(({ original }) => original))),
    });

    // The Worker caches by the identity of this object.
    let bindings;
    export default {
      async fetch(request, env, execution) {
        bindings ??= { ...env, ...limiters, EMAIL, DB: calls || ${latency} ? answering(env.DB) : env.DB };
        if (request.url.endsWith("${CALLS}")) return Response.json(recorded);
        if (!request.url.endsWith("${CRON}")) return worker.fetch(request, bindings, execution);
        await worker.scheduled({ cron: "* * * * *", scheduledTime: Date.now() }, bindings, execution);
        return new Response("ran");
      },
    };
  `;
}
