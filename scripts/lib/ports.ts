import { createServer } from "node:net";

/** A port that nothing listens on right now. */
export async function freePort(): Promise<number> {
  const port = await listenOnce(0, "127.0.0.1");
  if (port === null) throw new Error("This machine has no free port.");
  return port;
}

/** Whether something else listens on a local port already. */
export async function isPortTaken(port: number): Promise<boolean> {
  return (await listenOnce(port, "127.0.0.1")) === null;
}

function listenOnce(port: number, host: string): Promise<number | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(null));
    server.listen(port, host, () => {
      const address = server.address();
      const given = typeof address === "object" && address !== null ? address.port : null;
      server.close(() => resolve(given));
    });
  });
}
