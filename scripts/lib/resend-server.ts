import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { startLocalServer } from "#scripts/lib/ports.ts";
import { type AcceptedEmail, createAccount, type Failure } from "#scripts/lib/resend-account.ts";
import type { AccountOptions } from "#scripts/lib/resend-rules.ts";

interface FakeResendOptions {
  /** Of the account at the root. */
  account?: AccountOptions;
  /** How the nth request to the account at the root fails. Default: none does. */
  failure?: (nth: number) => Failure | undefined;
  /** Called when that account accepts an email. The response to the request waits for it. */
  onAccepted?: (email: AcceptedEmail) => void | Promise<void>;
}

/**
 * Starts a fake of Resend's API that refuses what Resend refuses. It has one account at its root.
 *
 * Tests that run in workerd open accounts of their own: `POST /accounts` with `AccountOptions` answers with the path that
 * takes the place of Resend's origin. Below it, `POST /failures` adds failures for the next requests, `POST /advance` lets
 * time pass, and `GET /` describes the account.
 */
export async function startFakeResend({
  account: rootOptions = {},
  failure: nthFailure = () => undefined,
  onAccepted = () => {},
}: FakeResendOptions = {}) {
  const root = { account: createAccount(rootOptions), failures: [] as Failure[] };
  const accounts = new Map([["", root]]);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, origin = "", path = ""] = /^(\/accounts\/[\w-]+)?(\/.*)?$/.exec(request.url ?? "") ?? [];
    const opened = accounts.get(origin);
    if (opened === undefined) return void response.writeHead(404).end();
    const { account, failures } = opened;
    const { method = "GET" } = request;
    const body = await text(request).catch(() => null);
    // The sender was killed while it sent.
    if (body === null) return;
    if (path === "/accounts") {
      const created = `/accounts/${crypto.randomUUID()}`;
      accounts.set(created, { account: createAccount(JSON.parse(body)), failures: [] });
      return respond(response, 200, { path: created });
    }
    if (origin !== "" && !path.startsWith("/emails")) {
      if (path === "/failures") failures.push(...JSON.parse(body));
      if (path === "/configure") account.configure(JSON.parse(body));
      if (path === "/advance") account.advance(Number(body));
      return respond(response, 200, account.state);
    }
    // Cloudflare's edge in front of the API refuses it.
    if (!request.headers["user-agent"]) return void response.writeHead(403).end("error code: 1010");
    const call = { method, path, headers: request.headers as Record<string, string>, body };
    const before = account.state.accepted.length;
    const result = account.handle(call, origin === "" ? nthFailure(account.state.requests + 1) : failures.shift());
    if (origin === "") for (const email of account.state.accepted.slice(before)) await onAccepted(email);
    if (result === "broken") response.destroy();
    else if (result === "silent") response.on("close", () => account.finish(call));
    else respond(response, result.status, result.body, result.headers);
  }

  return {
    ...(await startLocalServer((request, response) => void serve(request, response))),
    configure: root.account.configure,
    accepted: () => root.account.state.accepted,
    requests: () => root.account.state.requests,
  };
}

function respond(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
}
