import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * A port that nothing listens on right now. Taken at random from below the range from which systems give ports to
 * outgoing connections (32768 up on Linux), so that none slips in between asking and listening.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000);
    if (!(await isPortTaken(port))) return port;
  }
}

/** Whether something listens on a local port already. */
export function isPortTaken(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(true));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(false)));
  });
}
