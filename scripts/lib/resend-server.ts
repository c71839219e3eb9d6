import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { startLocalServer } from "#scripts/lib/ports.ts";
import { type AcceptedEmail, createAccount, type Failure, internalError } from "#scripts/lib/resend-account.ts";
import type { AccountOptions } from "#scripts/lib/resend-rules.ts";

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
  const root = { account: createAccount(rootOptions), failures: [] as Failure[] };
  const accounts = new Map([["", root]]);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, id = "", path = ""] = /^(?:\/accounts\/([\w-]+))?(\/.*)?$/.exec(request.url ?? "") ?? [];
    const opened = accounts.get(id);
    if (opened === undefined) return void response.writeHead(404).end();
    const { account, failures } = opened;
    const { method = "GET" } = request;
    const body = await text(request);
    if (path === "/accounts") return respond(response, 200, { path: open(JSON.parse(body)) });
    if (id !== "" && !path.startsWith("/emails")) {
      if (path === "/failures") failures.push(...JSON.parse(body));
      if (path === "/configure") account.configure(JSON.parse(body));
      if (path === "/advance") account.advance(Number(body));
      return respond(response, 200, account.state);
    }
    // Cloudflare's edge in front of the API refuses it.
    if (!request.headers["user-agent"]) return void response.writeHead(403).end("error code: 1010");
    const call = { method, path, headers: request.headers as Record<string, string>, body };
    const before = account.state.accepted.length;
    const result = account.handle(call, id === "" ? nthFailure(account.state.requests + 1) : failures.shift());
    if (id === "") for (const email of account.state.accepted.slice(before)) await onAccepted(email);
    if (result === "broken") response.destroy();
    else if (result === "silent") response.on("close", () => account.finish(call));
    else respond(response, result.status, result.body, result.headers);
  }

  /** @returns its path */
  function open(options: AccountOptions): string {
    const id = crypto.randomUUID();
    accounts.set(id, { account: createAccount(options), failures: [] });
    return `/accounts/${id}`;
  }

  return {
    ...(await startLocalServer((request, response) => void serve(request, response))),
    configure: root.account.configure,
    accepted: () => root.account.state.accepted,
    requests: () => root.account.state.requests,
  };
}

/** Rejected; accepted, but with an error response; accepted, but the connection breaks before the response. */
const rootFailures: Failure[] = [internalError, "accepted-with-error", "accepted-without-response"];

function oneInThree(nth: number): Failure | undefined {
  return nth % 3 === 0 ? rootFailures[(nth / 3) % rootFailures.length] : undefined;
}

function respond(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
}
