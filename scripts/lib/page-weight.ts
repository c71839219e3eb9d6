import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Page, Request } from "@playwright/test";
import { hydrate, recordHydration, touchPage } from "#scripts/lib/hydrated.ts";

/** The cost of a page for a first-time visitor. Sizes in bytes, compressed as noted. */
export interface PageWeight {
  /** The document, brotli. */
  html: number;
  /** Stylesheets that the first paint waits for, brotli. */
  blockingCss: number;
  /** Scripts that ran before hydration, gzip. */
  earlyScript: number;
  /** All scripts of the hydrated page, gzip. */
  allScript: number;
  /** Fonts, as transferred. */
  fonts: number;
  /** URLs of render-blocking requests, without the document. */
  blocking: string[];
  /** URLs of module scripts requested before hydration. */
  earlyModules: string[];
  /** Number of requests before hydration, with the document, by type. */
  requests: Record<string, number>;
}

/** Weighs a page in a fresh context: first as a reader has it, then hydrated. */
export async function weigh(page: Page, url: string): Promise<PageWeight> {
  const requests: Request[] = [];
  page.on("request", (request) => requests.push(request));
  await recordHydration(page.context());
  await page.coverage.startJSCoverage();
  const document = await page.goto(url, { waitUntil: "load" });
  await touchPage(page);
  await page.waitForLoadState("networkidle");
  const early = await page.coverage.stopJSCoverage();
  const earlyRequests = [...requests];
  const blocking = await blockingRequests(page);
  await page.coverage.startJSCoverage({ resetOnNavigation: false });
  await hydrate(page);
  const late = await page.coverage.stopJSCoverage();

  const ofType = (type: string) => requests.filter((request) => request.resourceType() === type);
  const sheets = ofType("stylesheet").filter((request) => blocking.includes(request.url()));
  const byType = Object.groupBy(earlyRequests, (request) => request.resourceType());
  return {
    html: brotliBytes((await document?.body()) ?? ""),
    blockingCss: sum((await Promise.all(sheets.map(bodyOf))).map(brotliBytes)),
    earlyScript: scriptBytes(early, url),
    allScript: scriptBytes([...early, ...late], url),
    fonts: sum((await Promise.all(ofType("font").map(bodyOf))).map(({ length }) => length)),
    blocking,
    earlyModules: earlyRequests.map((request) => request.url()).filter((url) => /\.js(\?|$)/.test(url)),
    requests: Object.fromEntries(Object.entries(byType).map(([type, { length } = []]) => [type, length])),
  };
}

/** URLs that the browser reports as render-blocking. */
function blockingRequests(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const entries: (PerformanceEntry & { renderBlockingStatus?: string })[] = performance.getEntriesByType("resource");
    return entries.filter((entry) => entry.renderBlockingStatus === "blocking").map(({ name }) => name);
  });
}

/** What was received; a request without a body, such as a cancelled preload, weighs nothing. */
async function bodyOf(request: Request): Promise<Buffer> {
  return (await request.response())?.body().catch(() => Buffer.alloc(0)) ?? Buffer.alloc(0);
}

/** Compressed bytes of the site's scripts that ran, those in the document included. */
function scriptBytes(scripts: Script[], page: string): number {
  const { origin } = new URL(page);
  const ran = scripts.filter(
    ({ url, functions }) =>
      url.startsWith(origin) && functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
  );
  const sources = new Map(ran.map(({ scriptId, source = "" }) => [scriptId, source]));
  return sum([...sources.values()].map((source) => gzipSync(source).length));
}

type Script = Awaited<ReturnType<Page["coverage"]["stopJSCoverage"]>>[number];

/** At the quality of an edge that compresses responses on the fly. */
function brotliBytes(content: string | Buffer): number {
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
