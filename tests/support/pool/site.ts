import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { createApp } from "#worker/app.ts";

/** The Worker's front door without its pages, on real bindings unless a test puts others in their place. */
export function apiSite(replaced: Partial<Env> = {}) {
  const app = createApp(async () => new Response("a page"));

  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const execution = createExecutionContext();
    // Fresh bindings are a fresh isolate to the Worker: what it gathers in memory is not shared by tests.
    const bindings = { ...env, ...replaced };
    const response = await app.fetch(new Request(`${env.SITE_URL}${path}`, init), bindings, execution);
    await waitOnExecutionContext(execution);
    return response;
  }

  return {
    request,
    /** POSTs JSON as a browser on one of our pages does. */
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      request(path, {
        method: "POST",
        headers: { "Content-Type": "application/json", Origin: env.SITE_URL, ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
  };
}

/** Status and parsed body, for comparing both at once. */
export async function answer(response: Response): Promise<{ status: number; body: unknown }> {
  return { status: response.status, body: await response.json() };
}

/** The documented shape of an error. */
export function errorBody(code: string, message: unknown) {
  return { ok: false, error: { code, message } };
}
