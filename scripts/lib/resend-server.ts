import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A mail that the stand-in for Resend has accepted. */
export interface AcceptedEmail {
  /** Its idempotency key. */
  key: string;
  to: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** An HTTP server that plays Resend's API: it keeps idempotency keys, and fails one request in three. */
export async function startResend() {
  const accepted = new Map<string, AcceptedEmail>();
  let requests = 0;

  const server = createServer(async (request, response) => {
    requests += 1;
    const key = String(request.headers["idempotency-key"]);
    const { to } = JSON.parse(await readAll(request));
    const failure = requests % 3 === 0 ? failures[(requests / 3) % failures.length] : undefined;
    if (failure !== "refused" && !accepted.has(key)) accepted.set(key, { key, to, at: Date.now() });
    answer(response, key, failure);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accepted: () => [...accepted.values()],
    requests: () => requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Refused outright; accepted, but the answer says otherwise; accepted, and the connection breaks before the answer. */
const failures = ["refused", "accepted-and-failed", "accepted-and-broken"] as const;

function answer(response: ServerResponse, key: string, failure: (typeof failures)[number] | undefined): void {
  if (failure === "accepted-and-broken") {
    response.destroy();
    return;
  }
  response.writeHead(failure === undefined ? 200 : 500, { "Content-Type": "application/json" });
  response.end(
    JSON.stringify(failure === undefined ? { id: key } : { statusCode: 500, name: "internal_server_error" }),
  );
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
