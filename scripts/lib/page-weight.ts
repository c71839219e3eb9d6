import type { Page } from "@playwright/test";
import { brotliBytes, gzipBytes } from "#scripts/bench/statistics.ts";
import { recordHydration, untilHydrated } from "#scripts/lib/hydrated.ts";
import { neverIdle, recordScripts, type Script, showIntent } from "#scripts/lib/recorded-scripts.ts";

/** What a page costs a visitor who comes for the first time. Sizes in bytes, as compressed on the way. */
export interface PageWeight {
  /** The document, brotli. */
  html: number;
  /** Stylesheets that the first paint waits for, brotli. */
  blockingCss: number;
  /** Scripts that ran although nobody did anything and the browser was never idle, gzip, by name. */
  earlyScript: Record<string, number>;
  /** Every script there is once the page has come alive, gzip, by name. */
  allScript: Record<string, number>;
  /** Fonts, as they come. */
  fonts: number;
  /** Addresses of requests beyond the document that the first paint had to wait for. */
  blocking: string[];
  /** Module scripts that were asked for before the first intent. */
  earlyModules: string[];
  /** How many requests were made before the first intent, the document's included, by type. */
  requests: Record<string, number>;
}

/** Opens a page in a fresh context and weighs it, first untouched and never idle, then awake. */
export async function weigh(page: Page, url: string): Promise<PageWeight> {
  const { origin } = new URL(url);
  await neverIdle(page);
  const scripts = await recordScripts(page, origin);
  const requests: { url: string; type: string }[] = [];
  page.on("request", (request) => requests.push({ url: request.url(), type: request.resourceType() }));
  const bodies = new Map<string, Promise<Buffer>>();
  page.on("response", (response) => {
    // A body that was never to be had, such as a preload's that was cancelled, weighs nothing.
    bodies.set(
      response.url(),
      response.body().catch(() => Buffer.alloc(0)),
    );
  });

  await recordHydration(page.context());
  const document = await page.goto(url, { waitUntil: "load" });
  await page.waitForLoadState("networkidle");
  const earlyScript = sizes(await scripts.executed(), origin);
  const early = [...requests];
  const blocking = await blockingRequests(page);

  await showIntent(page);
  await untilHydrated(page);
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
    allScript: sizes(await scripts.read(), origin),
    fonts: sum(fonts.map(({ length }) => length)),
    blocking,
    earlyModules: early.filter(({ url: asked }) => /\.js(\?|$)/.test(asked)).map(({ url: asked }) => nameOf(asked)),
    requests: types,
  };
}

/** Addresses that the first paint had to wait for, as the browser itself tells. */
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

/** Compressed bytes by name; what stands in a document is taken together. */
function sizes(scripts: Script[], origin: string): Record<string, number> {
  const bytes: Record<string, number> = {};
  for (const { url, source } of scripts) {
    const name = url.startsWith(`${origin}/assets/`) ? nameOf(url) : "inline";
    bytes[name] = (bytes[name] ?? 0) + gzipBytes(source);
  }
  return bytes;
}

/** The last part of an address, without the hash that a build gives it. */
function nameOf(url: string): string {
  return (new URL(url).pathname.split("/").at(-1) ?? "").replace(/-[\w-]{8}(?=\.\w+$)/, "");
}

export function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
