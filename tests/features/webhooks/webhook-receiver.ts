import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** How a receiver treats events. A number is the status of its responses. */
export type Manner =
  | number
  /** Never responds. */
  | "hang"
  /** Responds with a body of a gigabyte. */
  | "gigabyte"
  /** Sends the headers at once, and a body that never ends. */
  | "endless"
  /** Closes the connection without a response, after it has read the request. */
  | "close"
  /** The same for every second request. */
  | "lose-every-second";

export interface ReceivedEvent {
  headers: Record<string, string>;
  body: string;
}

export interface ReceiverState {
  received: ReceivedEvent[];
  /** Other requests, such as those to where a redirect leads. */
  strays: string[];
  /** Bytes of bodies that were taken from it. */
  sent: number;
  /** Requests whose connection is still open. */
  open: number;
}

interface Receiver extends ReceiverState {
  manner: Manner;
  headers: Record<string, string>;
}

const PIECE = Buffer.alloc(1 << 16, "x");
const GIGABYTE = 1 << 30;

/** An HTTP server on loopback with any number of receivers, each with a manner of its own. */
export async function startWebhookReceiver() {
  const receivers: Receiver[] = [];
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const body = await text(request);
    const [, id = "", action = ""] = request.url?.split("/") ?? [];
    if (id === "new") {
      receivers.push({ manner: 200, headers: {}, received: [], strays: [], sent: 0, open: 0 });
      return response.end(String(receivers.length - 1));
    }
    const receiver = receivers[Number(id)];
    if (receiver === undefined) return response.writeHead(404).end();
    if (action === "state") return response.end(JSON.stringify(receiver));
    if (action === "manner") return response.end(JSON.stringify(Object.assign(receiver, JSON.parse(body))));
    if (action === "hook" && request.method === "POST") return receive(receiver, request, response, body);
    receiver.strays.push(`${request.method} ${request.url}`);
    response.end();
  }

  return {
    url,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function receive(receiver: Receiver, request: IncomingMessage, response: ServerResponse, body: string) {
  receiver.received.push({ headers: request.headers as Record<string, string>, body });
  receiver.open += 1;
  response.on("close", () => {
    receiver.open -= 1;
  });
  const { manner, received } = receiver;
  const isLost = manner === "close" || (manner === "lose-every-second" && received.length % 2 === 0);
  if (isLost) return request.socket.destroy();
  if (manner === "lose-every-second") return response.writeHead(204).end();
  if (manner === "hang") return;
  if (typeof manner === "number") return response.writeHead(manner, receiver.headers).end("ok");
  response.writeHead(200, manner === "gigabyte" ? { "Content-Length": GIGABYTE } : {});
  const send = () => {
    while (!response.destroyed) {
      if (manner === "gigabyte" && receiver.sent >= GIGABYTE) return response.end();
      receiver.sent += PIECE.length;
      if (!response.write(PIECE)) return response.once("drain", send);
    }
  };
  send();
}
