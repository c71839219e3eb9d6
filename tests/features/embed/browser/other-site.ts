import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { openWaitlistFile } from "#tests/support/waitlist-file.ts";

interface OtherSiteOptions {
  /** The content of the page's `<body>`. */
  html: string;
  /** Default: browsers name the site when they post a form. */
  referrerPolicy?: string;
}

/** Serves a page of another site, whose origin and host are not those of the waitlist. */
export async function startOtherSite({ html, referrerPolicy }: OtherSiteOptions) {
  const server = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    if (referrerPolicy !== undefined) response.setHeader("Referrer-Policy", referrerPolicy);
    response.end(
      `<!doctype html><html lang="en"><title>Shop</title><body><main><h1>Our shop</h1>${html}</main></body></html>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { origin, stop, [Symbol.asyncDispose]: stop };
}

/** Lists an origin as the owner's page does, which takes https only. */
export async function allow(site: RunningSite, origin: string): Promise<void> {
  using database = await openWaitlistFile(site.persistTo);
  database.prepare("INSERT INTO embed_origins (origin, created_at) VALUES (?, 0)").run(origin);
}
