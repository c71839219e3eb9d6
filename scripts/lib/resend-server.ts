import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface AcceptedEmail {
  /** Idempotency key. */
  key: string;
  to: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** Starts a fake of Resend's API that honours idempotency keys and fails one request in three. */
export async function startFakeResend() {
  const accepted = new Map<string, AcceptedEmail>();
  let requests = 0;

  const server = createServer(async (request, response) => {
    requests += 1;
    const key = String(request.headers["idempotency-key"]);
    const { to } = JSON.parse(await readAll(request));
    const failure = requests % 3 === 0 ? failures[(requests / 3) % failures.length] : undefined;
    if (failure !== "rejected" && !accepted.has(key)) accepted.set(key, { key, to, at: Date.now() });
    respond(response, key, failure);
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

/** Rejected; accepted, but with an error response; accepted, but the connection breaks before the response. */
const failures = ["rejected", "accepted-with-error", "accepted-without-response"] as const;

function respond(response: ServerResponse, key: string, failure: (typeof failures)[number] | undefined): void {
  if (failure === "accepted-without-response") {
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
