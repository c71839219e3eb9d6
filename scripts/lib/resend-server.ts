import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type AcceptedEmail, type Account, createAccount, type Failure } from "#scripts/lib/resend-account.ts";
import { type AccountOptions, type ApiRequest, type ApiResponse, apiError } from "#scripts/lib/resend-rules.ts";

export type { AcceptedEmail } from "#scripts/lib/resend-account.ts";

interface FakeResendOptions {
  /** Of the account at the root. */
  account?: AccountOptions;
  /** How the nth request to the account at the root fails. Default: one in three. */
  failure?: (nth: number) => Failure | undefined;
  /** Called when that account accepts an email. The response to the request waits for it. */
  onAccepted?: (email: AcceptedEmail) => void | Promise<void>;
}

/**
 * Starts a fake of Resend's API that refuses what Resend refuses. It has one account at its root, where requests fail.
 *
 * Tests that run in workerd open accounts of their own: `POST /accounts` with `AccountOptions` answers with the path that
 * takes the place of Resend's origin. Below it, `POST /failures` adds failures for the next requests, `POST /advance` lets
 * time pass, and `GET /` describes the account.
 */
export async function startFakeResend({
  account: rootOptions = {},
  failure: nthFailure = oneInThree,
  onAccepted = () => {},
}: FakeResendOptions = {}) {
  const root = createAccount(rootOptions);
  const accounts = new Map<string, { account: Account; failures: Failure[] }>();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const body = await readAll(request);
    const [, id = "", path = ""] = /^\/accounts\/([\w-]+)(\/.*)?$/.exec(pathname) ?? [];
    const opened = accounts.get(id);
    const isControl = pathname === "/accounts" || (opened !== undefined && !path.startsWith("/emails"));
    if (isControl) return json(response, 200, control(request.method ?? "GET", path, body, opened));
    // Cloudflare's edge in front of the API refuses it.
    if (!request.headers["user-agent"]) return void response.writeHead(403).end("error code: 1010");
    const api: ApiRequest = {
      method: request.method ?? "GET",
      path: opened === undefined ? pathname : path,
      headers: request.headers as Record<string, string>,
      body,
    };
    const { account, failure } =
      opened === undefined ? { account: root, failure: nthFailure(root.requests() + 1) } : take(opened);
    const before = account.accepted().length;
    const handled = account.handle(api, failure);
    if (account === root) for (const email of account.accepted().slice(before)) await onAccepted(email);
    if (handled.delivery === "broken") return void response.destroy();
    if (handled.delivery === "never") {
      return void response.on("close", () => account.finish(api.headers["idempotency-key"] ?? ""));
    }
    json(response, handled.response.status, handled.response.body, handled.response.headers);
  }

  function control(
    method: string,
    path: string,
    body: string,
    opened: { account: Account; failures: Failure[] } | undefined,
  ) {
    if (opened === undefined) {
      const id = crypto.randomUUID();
      accounts.set(id, { account: createAccount(JSON.parse(body)), failures: [] });
      return { path: `/accounts/${id}` };
    }
    const { account, failures } = opened;
    if (method === "POST" && path === "/failures") failures.push(...JSON.parse(body));
    if (method === "POST" && path === "/advance") account.advance(Number(body));
    return { accepted: account.accepted(), suppressed: account.suppressed(), requests: account.requests() };
  }

  const server = createServer((request, response) => void serve(request, response));
  // Node closes idle connections after five seconds, at times just as the next request arrives.
  server.keepAliveTimeout = 60_000;
  await once(server.listen(0, "127.0.0.1"), "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    configure: root.configure,
    accepted: root.accepted,
    requests: root.requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Rejected; accepted, but with an error response; accepted, but the connection breaks before the response. */
const rootFailures: Failure[] = [
  apiError(500, "internal_server_error", "An unexpected error occurred."),
  "accepted-with-error",
  "accepted-without-response",
];

function oneInThree(nth: number): Failure | undefined {
  return nth % 3 === 0 ? rootFailures[(nth / 3) % rootFailures.length] : undefined;
}

function take({ account, failures }: { account: Account; failures: Failure[] }) {
  return { account, failure: failures.shift() };
}

function json(response: ServerResponse, status: number, body: unknown, headers: ApiResponse["headers"] = {}): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
