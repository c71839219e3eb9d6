import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OWNER } from "#scripts/lib/owner-site.ts";
import { freePort } from "#scripts/lib/ports.ts";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { test as base } from "#tests/support/browser/test.ts";

/** `cut`: the request never arrives. `lose-answer`: the site handles it, and the answer never arrives. */
export type Fault = "cut" | "lose-answer" | null;

/** A site behind one address, at which it can die, come back as another version, and be reached badly. */
export interface FairSite {
  url: string;
  /** Folder of its database. */
  persistTo: string;
  site: RunningSite;
  /** What happens to a request. It may first do something to the site. */
  fault: (path: string) => Fault | Promise<Fault>;
  /** Starts it again, with the same data. @param vars a different document, as in another version */
  restart(vars?: Record<string, string>): Promise<void>;
  stop(): Promise<void>;
}

/** The browser `test` with such a site, which all tests of a worker share. It has an owner. */
export const test = base.extend<{ fair: FairSite }>({
  fair: [
    async ({ shared }, use) => {
      const fair = await shared("site at the fair", startFairSite);
      fair.fault = () => null;
      await use(fair);
    },
    { scope: "test", timeout: 120_000 },
  ],
});

async function startFairSite(): Promise<FairSite> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "fair-site-"));
  const url = `http://localhost:${port}`;
  const start = (vars: Record<string, string> = {}) =>
    startSite({ folder, vars: { SITE_URL: url, WORKERS_PLAN: "paid", OWNER_EMAIL: OWNER, ...vars } });
  const site = await start();
  const fair: FairSite = {
    url,
    persistTo: site.persistTo,
    site,
    fault: () => null,
    async restart(vars) {
      await fair.site.kill();
      fair.site = await start(vars);
    },
    async stop() {
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
