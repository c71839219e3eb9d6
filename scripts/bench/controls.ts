import { CALLS, type D1Call } from "#scripts/bench/bench-entry.ts";
import { startControl } from "#scripts/bench/workers.ts";

const CONNECTION_HEADERS = ["connection", "content-length", "date", "keep-alive", "transfer-encoding"];

/** The site's response, without the headers of the connection. */
export async function capture(url: string, request: RequestInit = {}) {
  const response = await fetch(url, request);
  const headers = Array.from(response.headers).filter(([name]) => !CONNECTION_HEADERS.includes(name));
  return { status: response.status, headers, body: await response.text() };
}

/** The calls of D1 that a site has recorded so far, in their order. */
export async function recordedCalls(url: string): Promise<D1Call[]> {
  return (await (await fetch(url + CALLS)).json()) as D1Call[];
}

/**
 * Starts a bare Worker that returns one response to every request, encoded once: the fastest a Worker can be. With
 * statements it runs them as a batch before, without any checks, for the address that it receives.
 *
 * @param statements of a site's sign-up of `email`. What looks random in them is random in each batch
 */
export function startControlOf(
  { status, headers, body }: Awaited<ReturnType<typeof capture>>,
  email = "",
  statements: D1Call["statements"] = [],
) {
  return startControl(`
    const statements = ${JSON.stringify(statements)};
    const body = new TextEncoder().encode(${JSON.stringify(body)});
    const init = ${JSON.stringify({ status, headers })};
    const isRandom = (parameter) => typeof parameter === "string" && /^[\\w-]{22,}$/.test(parameter);
    async function signUp(request, DB) {
      const { email } = await request.json();
      const value = (parameter) =>
        parameter === ${JSON.stringify(email)} ? email : isRandom(parameter) ? crypto.randomUUID() : parameter;
      await DB.batch(statements.map(({ sql, parameters }) => DB.prepare(sql).bind(...parameters.map(value))));
      return new Response(body, init);
    }
    export default {
      fetch: (request, { DB }) => (statements.length > 0 ? signUp(request, DB) : new Response(body, init)),
    };
  `);
}
