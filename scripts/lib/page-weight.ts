import type { Page } from "@playwright/test";
import { brotliBytes, gzipBytes } from "#scripts/bench/statistics.ts";
import { hydrate, recordHydration } from "#scripts/lib/hydrated.ts";
import { recordScripts, type Script, touchPage } from "#scripts/lib/recorded-scripts.ts";

/** The cost of a page for a first-time visitor. Sizes in bytes, compressed as noted. */
export interface PageWeight {
  /** The document, brotli. */
  html: number;
  /** Stylesheets that the first paint waits for, brotli. */
  blockingCss: number;
  /** Scripts that ran before hydration, gzip, by name. */
  earlyScript: Record<string, number>;
  /** All scripts of the hydrated page, gzip, by name. */
  allScript: Record<string, number>;
  /** Fonts, as transferred. */
  fonts: number;
  /** URLs of render-blocking requests, without the document. */
  blocking: string[];
  /** Module scripts requested before hydration. */
  earlyModules: string[];
  /** Number of requests before hydration, with the document, by type. */
  requests: Record<string, number>;
}

/** Weighs a page in a fresh context: first as a reader has it, then hydrated. */
export async function weigh(page: Page, url: string): Promise<PageWeight> {
  const { origin } = new URL(url);
  const scripts = await recordScripts(page, origin);
  const requests: { url: string; type: string }[] = [];
  page.on("request", (request) => requests.push({ url: request.url(), type: request.resourceType() }));
  const bodies = new Map<string, Promise<Buffer>>();
  page.on("response", (response) => {
    // A response without a body, such as that of a cancelled preload, weighs nothing.
    bodies.set(
      response.url(),
      response.body().catch(() => Buffer.alloc(0)),
    );
  });

  await recordHydration(page.context());
  const document = await page.goto(url, { waitUntil: "load" });
  await touchPage(page);
  await page.waitForLoadState("networkidle");
  const earlyScript = sizes(await scripts.executed(), origin);
  const early = [...requests];
  const blocking = await blockingRequests(page);

  await hydrate(page);
  const types: Record<string, number> = {};
  for (const { type } of early) types[type] = (types[type] ?? 0) + 1;
  const ofType = (type: string) => requests.filter((request) => request.type === type).map((request) => request.url);
  const body = async (address: string) => (await bodies.get(address)) ?? Buffer.alloc(0);
  const sheets = await Promise.all(
    ofType("stylesheet")
      .filter((sheet) => blocking.includes(sheet))
      .map(body),
  );
  const fonts = await Promise.all(ofType("font").map(body));
  return {
    html: brotliBytes((await document?.body()) ?? ""),
    blockingCss: sum(sheets.map(brotliBytes)),
    earlyScript,
    allScript: sizes(await scripts.parsed(), origin),
    fonts: sum(fonts.map(({ length }) => length)),
    blocking,
    earlyModules: early.filter((request) => /\.js(\?|$)/.test(request.url)).map((request) => fileNameOf(request.url)),
    requests: types,
  };
}

/** URLs that the browser reports as render-blocking. */
function blockingRequests(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter(
        (entry) =>
          (entry as PerformanceResourceTiming & { renderBlockingStatus?: string }).renderBlockingStatus === "blocking",
      )
      .map(({ name }) => name),
  );
}

/** Compressed bytes by name, with inline scripts combined. */
function sizes(scripts: Script[], origin: string): Record<string, number> {
  const bytes: Record<string, number> = {};
  for (const { url, source } of scripts) {
    const name = url.startsWith(`${origin}/assets/`) ? fileNameOf(url) : "inline";
    bytes[name] = (bytes[name] ?? 0) + gzipBytes(source);
  }
  return bytes;
}

/** The file name of a URL, without the build's hash. */
function fileNameOf(url: string): string {
  return (new URL(url).pathname.split("/").at(-1) ?? "").replace(/-[\w-]{8}(?=\.\w+$)/, "");
}

export function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
