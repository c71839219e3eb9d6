import { gzipSync } from "node:zlib";
import type { Page, Request } from "@playwright/test";
import { brotli } from "#scripts/lib/first-view.ts";
import { hydrate, recordHydration, touchPage } from "#scripts/lib/hydrated.ts";

/** The cost of a page for a first-time visitor. Sizes in bytes, compressed as noted. */
export interface PageWeight {
  /** The document, brotli. */
  html: number;
  /** Stylesheets that the first paint waits for, brotli. */
  blockingCss: number;
  /** Scripts before hydration, those in the document included, gzip. */
  earlyScript: number;
  /** All scripts of the hydrated page, gzip. */
  allScript: number;
  /** Fonts, as transferred. */
  fonts: number;
  /** URLs of render-blocking requests, without the document. */
  blocking: string[];
  /** Requests before hydration, with the document. */
  early: Request[];
}

/** Weighs a page in a fresh context: first as a reader has it, then hydrated. */
export async function weigh(page: Page, url: string): Promise<PageWeight> {
  const requests: Request[] = [];
  page.on("request", (request) => requests.push(request));
  await recordHydration(page.context());
  const document = await page.goto(url, { waitUntil: "load" });
  await touchPage(page);
  await page.waitForLoadState("networkidle");
  const early = [...requests];
  const blocking = await blockingRequests(page);
  // Those with a type are data, or wait for hydration.
  const inline = await page.locator("script:not([src], [type], :empty)").allTextContents();
  await hydrate(page);

  const sheets = (await bodies(early, "stylesheet")).filter(({ url }) => blocking.includes(url));
  const fonts = await bodies(requests, "font");
  const scriptBytes = async (sent: Request[]) => {
    const modules = (await bodies(sent, "script")).map(({ body }) => body);
    return sum([...inline, ...modules].map((script) => gzipSync(script).length));
  };
  return {
    html: brotli((await document?.body()) ?? "").length,
    blockingCss: sum(sheets.map(({ body }) => brotli(body).length)),
    earlyScript: await scriptBytes(early),
    allScript: await scriptBytes(requests),
    fonts: sum(fonts.map(({ body }) => body.length)),
    blocking,
    early,
  };
}

/** URLs that the browser reports as render-blocking. */
function blockingRequests(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const entries: (PerformanceEntry & { renderBlockingStatus?: string })[] = performance.getEntriesByType("resource");
    return entries.filter((entry) => entry.renderBlockingStatus === "blocking").map(({ name }) => name);
  });
}

/** What was received of a type; a request without a body, such as a cancelled preload, weighs nothing. */
function bodies(requests: Request[], type: string): Promise<{ url: string; body: Buffer }[]> {
  const ofType = requests.filter((request) => request.resourceType() === type);
  const received = async (request: Request) => (await request.response())?.body().catch(() => null);
  return Promise.all(
    ofType.map(async (request) => ({ url: request.url(), body: (await received(request)) ?? Buffer.alloc(0) })),
  );
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
