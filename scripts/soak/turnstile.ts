import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Starts a fake of Turnstile that takes everyone for a person. */
export async function startFakeTurnstile() {
  const server = createServer((_, response) => void response.end('{"success":true}'));
  // Node closes idle connections after five seconds, at times just as the next request arrives.
  server.keepAliveTimeout = 60_000;
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    vars: {
      // https://developers.cloudflare.com/turnstile/troubleshooting/testing/
      TURNSTILE_SITE_KEY: "1x00000000000000000000AA",
      TURNSTILE_SECRET: "1x0000000000000000000000000000000AA",
      TURNSTILE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
