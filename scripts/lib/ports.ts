import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer } from "node:net";

/** The one of them. https://fetch.spec.whatwg.org/#port-blocking */
const BLOCKED_BY_BROWSERS = 10_080;

/**
 * A free port. Chosen at random below the range of ephemeral ports (from 32768 on Linux), so that no outgoing connection
 * takes it before the caller listens on it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000);
    if (port !== BLOCKED_BY_BROWSERS && !(await isPortTaken(port))) return port;
  }
}

/** Whether a process already listens on a local port. */
export function isPortTaken(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(true));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(false)));
  });
}

/** Starts an HTTP server on this machine, which stands for a service. */
export async function startLocalServer(listener: RequestListener) {
  const server = createHttpServer(listener);
  // Node closes idle connections after five seconds, at times just as the next request arrives.
  server.keepAliveTimeout = 60_000;
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
