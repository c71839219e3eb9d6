import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { queues } from "#tests/support/cloudflare/queues.ts";
import { ApiError } from "#tests/support/cloudflare/routes.ts";
import { stores } from "#tests/support/cloudflare/stores.ts";
import { workers } from "#tests/support/cloudflare/workers.ts";

const ACCOUNT = "0123456789abcdef0123456789abcdef";

/**
 * Starts a fake of the part of Cloudflare's API that this project uses, with SQLite as D1, and of the deployed site's
 * /healthcheck. It records every call that changes something, and every unknown call.
 */
export async function startFakeCloudflare() {
  const changes: string[] = [];
  const unknown: string[] = [];
  let failing: RegExp | null = null;
  const { routes: storeRoutes, database } = stores();
  const { routes: workerRoutes, worker } = workers();
  const { routes: queueRoutes, ...events } = queues();
  const routes = Object.entries({ ...storeRoutes, ...workerRoutes, ...queueRoutes });

  async function handle(request: IncomingMessage): Promise<unknown> {
    const bytes = new Uint8Array(await buffer(request));
    const headers = { "Content-Type": request.headers["content-type"] ?? "" };
    const form = () => new Response(bytes, { headers }).formData();
    const isForm = headers["Content-Type"].startsWith("multipart/");
    const body = isForm || bytes.length === 0 ? null : JSON.parse(new TextDecoder().decode(bytes));
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    const call = `${request.method} ${pathname.replace(`/accounts/${ACCOUNT}`, "")}`;
    if (request.headers.authorization !== "Bearer a-token") throw new ApiError(403, 10000, "Authentication error");
    if (changesSomething(call)) changes.push(call);
    if (failing?.test(call)) throw new ApiError(500, 10013, "internal server error");
    for (const [path, handler] of routes) {
      const match = new RegExp(`^${path.replaceAll(/:\w+/g, "([^/]+)")}$`).exec(call);
      if (match === null) continue;
      const result = await handler({ ids: match.slice(1), body, form, query: searchParams });
      // Everything fits on the first page; further pages are empty.
      return Array.isArray(result) && Number(searchParams.get("page") ?? 1) > 1 ? [] : result;
    }
    unknown.push(call);
    throw new ApiError(404, 7003, `Could not route to ${pathname}`);
  }

  const server = createServer(async (request, response) => {
    const version = worker()?.version;
    if (request.url === "/healthcheck" && version === undefined) return respond(response, 404, "nothing here");
    if (request.url === "/healthcheck")
      return respond(response, 200, { ok: true, version, checks: { d1: "ok", kv: "ok" } });
    try {
      respond(response, 200, { success: true, errors: [], messages: [], result: await handle(request) });
    } catch (error) {
      const { status = 500, code = 10013, message } = error as ApiError;
      respond(response, status, { success: false, errors: [{ code, message }], messages: [], result: null });
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    changes,
    unknown,
    worker,
    /** Finds a D1 database by name. */
    database,
    ...events,
    env: { CLOUDFLARE_API_BASE_URL: url, CLOUDFLARE_API_TOKEN: "a-token", CLOUDFLARE_ACCOUNT_ID: ACCOUNT },
    /** Makes matching calls fail; null ends that. */
    failOn(pattern: RegExp | null) {
      failing = pattern;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const changesSomething = (call: string) => !call.startsWith("GET ") && !/\/(query|raw|changeset)$/.test(call);

function respond(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
