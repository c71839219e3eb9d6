import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#scripts/lib/ports.ts";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";

/** `cut`: the request never arrives. `lose-answer`: the site handles it, and the answer never arrives. */
export type Fault = "cut" | "lose-answer" | null;

/** A site behind one address, at which it can die, come back as another version, and be reached badly. */
export interface FairSite {
  url: string;
  site: RunningSite;
  /** What happens to a request. It may first do something to the site. */
  fault: (path: string) => Fault | Promise<Fault>;
  /** Starts it again, with the same data. @param vars a different document, as in another version */
  restart(vars?: Record<string, string>): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startFairSite(): Promise<FairSite> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "fair-site-"));
  const url = `http://localhost:${port}`;
  const start = (vars: Record<string, string> = {}) =>
    startSite({ folder, vars: { SITE_URL: url, WORKERS_PLAN: "paid", ...vars } });
  const fair: FairSite = {
    url,
    site: await start(),
    fault: () => null,
    async restart(vars) {
      await fair.site.kill();
      fair.site = await start(vars);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await fair.site.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  const server = await startProxy(port, fair);
  return fair;
}

async function startProxy(port: number, fair: FairSite): Promise<Server> {
  const server = createServer(async (incoming, response) => {
    const fault = await fair.fault(incoming.url ?? "");
    if (fault === "cut") return void response.destroy();
    const outgoing = request(
      {
        host: "localhost",
        port: new URL(fair.site.url).port,
        path: incoming.url,
        method: incoming.method,
        headers: incoming.headers,
      },
      (reply) => {
        if (fault === "lose-answer") {
          reply.resume().on("end", () => response.destroy());
          return;
        }
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response).on("error", () => {});
        reply.on("error", () => response.destroy());
      },
    );
    outgoing.on("error", () => response.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(port, "localhost", resolve));
  return server;
}
