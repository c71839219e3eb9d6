import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { timelessLimits } from "#tests/support/pool/location-limits.ts";
import { createApp } from "#worker/app.ts";

/**
 * The Worker without its pages, on real bindings unless overridden, and with rate limits in which no time passes.
 *
 * @param keepsMemory whether all requests meet one isolate, which is quicker: for tests that change no settings
 */
export function apiSite(overrides: Partial<Env> = {}, { keepsMemory = false } = {}) {
  const app = createApp(async () => new Response("a page"));
  const kept = { ...env, ...timelessLimits, ...overrides };

  /** Resolves with the response; `finished` waits for the work after it. @param path of this site, or a whole URL */
  async function startRequest(path: string, init: RequestInit = {}) {
    const execution = createExecutionContext();
    // New bindings are a new isolate to the Worker, so that tests do not share its memory.
    const bindings = keepsMemory ? kept : { ...kept };
    const response = await app.fetch(new Request(new URL(path, env.SITE_URL), init), bindings, execution);
    return { response, finished: () => waitOnExecutionContext(execution) };
  }

  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const { response, finished } = await startRequest(path, init);
    await finished();
    return response;
  }

  /** A POST of JSON as a browser sends it on a page of this site. */
  const jsonPost = (body: unknown, headers: Record<string, string> = {}) => ({
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: env.SITE_URL, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

  return {
    request,
    post: (path: string, body: unknown, headers?: Record<string, string>) => request(path, jsonPost(body, headers)),
    /** Posts JSON without waiting for the work after the response. */
    start: (path: string, body: unknown) => startRequest(path, jsonPost(body)),
  };
}

export async function statusAndBody(response: Response): Promise<{ status: number; body: unknown }> {
  return { status: response.status, body: await response.json() };
}

/** The documented shape of an API error. */
export function errorBody(code: string, message: unknown) {
  return { ok: false, error: { code, message } };
}
