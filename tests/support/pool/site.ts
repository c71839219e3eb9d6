import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { createApp } from "#worker/app.ts";

/** The Worker without its pages, on real bindings unless overridden. */
export function apiSite(overrides: Partial<Env> = {}) {
  const app = createApp(async () => new Response("a page"));

  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const execution = createExecutionContext();
    // New bindings are a new isolate to the Worker, so that tests do not share its memory.
    const bindings = { ...env, ...overrides };
    const response = await app.fetch(new Request(`${env.SITE_URL}${path}`, init), bindings, execution);
    await waitOnExecutionContext(execution);
    return response;
  }

  return {
    request,
    /** POSTs JSON as a browser does on a page of this site. */
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      request(path, {
        method: "POST",
        headers: { "Content-Type": "application/json", Origin: env.SITE_URL, ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
  };
}

export async function statusAndBody(response: Response): Promise<{ status: number; body: unknown }> {
  return { status: response.status, body: await response.json() };
}

/** The documented shape of an API error. */
export function errorBody(code: string, message: unknown) {
  return { ok: false, error: { code, message } };
}
