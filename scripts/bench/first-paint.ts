import type { Browser } from "@playwright/test";
import { median } from "#scripts/bench/statistics.ts";

/** A middling phone on a slow mobile network, as Lighthouse describes it. */
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 92_160 };
const CPU_SLOWDOWN = 4;

/** The largest contentful paint of each load (milliseconds), and the most that anything jumped (CLS). */
export interface Paints {
  lcp: number[];
  /** What that was, by tag and size: the same on both pages, or they are not the same page. */
  painted: string;
  /** When the first byte came (milliseconds). */
  firstByte: number[];
  shift: number;
  /** What the last load asked for before that paint, beyond the document. */
  before: Fetched[];
}

/** A request as the browser timed it: milliseconds since the navigation's start, bytes on the way. */
interface Fetched {
  name: string;
  start: number;
  end: number;
  bytes: number;
}

interface Load {
  lcp: number;
  /** Tag and size of what was painted. */
  painted: string;
  firstByte: number;
  shift: number;
  before: Fetched[];
}

/** Loads two pages in turns, each time in a fresh browser context, on the same slow phone and network. */
export async function comparePaints(
  browser: Browser,
  urls: [string, string],
  loads: number,
): Promise<[Paints, Paints]> {
  const paints: [Paints, Paints] = [
    { lcp: [], painted: "", firstByte: [], shift: 0, before: [] },
    { lcp: [], painted: "", firstByte: [], shift: 0, before: [] },
  ];
  // The first load of all meets a browser and a Worker that are still cold.
  for (const url of urls) await load(browser, url);
  for (let turn = 0; turn < loads; turn += 1) {
    for (const side of [0, 1] as const) {
      const { lcp, painted, firstByte, shift, before } = await load(browser, urls[side]);
      paints[side].lcp.push(lcp);
      paints[side].firstByte.push(firstByte);
      paints[side].shift = Math.max(paints[side].shift, shift);
      paints[side].before = before;
      paints[side].painted = painted;
    }
  }
  if (paints[0].painted !== paints[1].painted) {
    throw new Error(`Not the same page: ${paints[0].painted} was painted here, and ${paints[1].painted} there`);
  }
  return paints;
}

/** The median of the ratios of loads that followed on each other. */
export function paintRatio([one, other]: [Paints, Paints]): number {
  return median(one.lcp.map((lcp, index) => lcp / (other.lcp[index] ?? Number.NaN)));
}

async function load(browser: Browser, url: string): Promise<Load> {
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", SLOW_4G);
    await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
    await page.goto(url, { waitUntil: "networkidle" });
    return await page.evaluate(async () => {
      const entriesOf = (type: string) =>
        new Promise<PerformanceEntry[]>((resolve) => {
          const observer = new PerformanceObserver((list) => resolve(list.getEntries()));
          observer.observe({ type, buffered: true });
          // A page on which nothing moved has no entry, and the observer is never called.
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(observer.takeRecords())));
        });
      const shifts = (await entriesOf("layout-shift")) as (PerformanceEntry & { value: number })[];
      const largest = (await entriesOf("largest-contentful-paint")).at(-1) as LargestContentfulPaint | undefined;
      const lcp = largest?.startTime ?? Number.NaN;
      const fetched = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
      const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
      return {
        lcp,
        painted: `${largest?.element?.tagName} of ${largest?.size} px`,
        firstByte: navigation?.responseStart ?? Number.NaN,
        shift: shifts.reduce((total, { value }) => total + value, 0),
        before: fetched
          .filter(({ startTime }) => startTime < lcp)
          .map(({ name, startTime, responseEnd, transferSize }) => ({
            name: new URL(name).pathname,
            start: startTime,
            end: responseEnd,
            bytes: transferSize,
          })),
      };
    });
  } finally {
    await context.close();
  }
}
