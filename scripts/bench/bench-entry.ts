/** What D1 answered: for each call, by its SQL, a list in the order of the calls. */
export type Answers = Record<string, unknown[]>;

/** Where a site that records D1's answers returns them. */
export const RECORDED = "/recorded-answers";

/**
 * Source of a module that wraps a Worker for a benchmark. The entry point `cron` runs the cron job for each request. What
 * Miniflare would do at length on the Worker's own thread is replaced:
 *
 * - Rate limits let everyone through. Miniflare reads a whole SQLite table for each new client.
 * - Emails are accepted in memory. Miniflare parses them and writes them to files.
 * - The Cache API finds nothing, as on workers.dev.
 * - The log is dropped, because workerd writes each line to a pipe, while the controls log nothing.
 * - D1, which runs elsewhere at Cloudflare, answers from memory where there are recorded answers. All others are recorded.
 *
 * @param main the Worker's main module
 * @param limits the names of its rate limits
 * @param answers null leaves D1 as it is
 */
export function benchEntry(main: string, limits: string[], answers: Answers | null): string {
  return `
    import worker from ${JSON.stringify(main)};

    console.log = () => {};
    globalThis.caches = { open: async () => ({ match: async () => undefined, put: async () => {} }) };

    const limiter = { limit: async () => ({ success: true }) };
    const limiters = Object.fromEntries(${JSON.stringify(limits)}.map((name) => [name, limiter]));
    const EMAIL = { send: async () => ({ messageId: crypto.randomUUID() }) };

    const answers = JSON.parse(${JSON.stringify(JSON.stringify(answers))});
    const recorded = {};
    async function answer(call, ask) {
      const known = answers[call]?.shift();
      if (known !== undefined) return known;
      const result = await ask();
      (recorded[call] ??= []).push(result);
      return result;
    }
    function statement(original, sql) {
      const call = (method) => () => answer(method + sql, () => original[method]());
      const bind = (...params) => statement(original.bind(...params), sql);
      return { original, sql, bind, all: call("all"), raw: call("raw"), run: call("run") };
    }
    const answering = (db) => ({
      prepare: (sql) => statement(db.prepare(sql), sql),
      batch: (statements) =>
        answer(statements.map(({ sql }) => sql).join(), () => db.batch(statements.map(({ original }) => original))),
    });

    // The Worker caches by the identity of this object.
    let bindings;
    const bind = (env) => (bindings ??= { ...env, ...limiters, EMAIL, DB: answers ? answering(env.DB) : env.DB });
    const handler = (handle) => ({
      fetch: (request, env, execution) =>
        request.url.endsWith(${JSON.stringify(RECORDED)}) ? Response.json(recorded) : handle(request, bind(env), execution),
    });

    export default handler((request, env, execution) => worker.fetch(request, env, execution));
    export const cron = handler(async (request, env, execution) => {
      await worker.scheduled({ cron: "* * * * *", scheduledTime: Date.now() }, env, execution);
      return new Response("ran");
    });
  `;
}
