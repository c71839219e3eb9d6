import type { Browser } from "@playwright/test";
import { emulatePhone, PHONE } from "#scripts/bench/slow-phone.ts";
import { median } from "#scripts/bench/statistics.ts";

export interface Paints {
  /** Largest contentful paint of each load (milliseconds). */
  lcp: number[];
  /** The painted element, by tag and size: must be the same on both pages. */
  element: string;
  /** Time to first byte of each load (milliseconds). */
  firstByte: number[];
  /** Worst cumulative layout shift. */
  shift: number;
  /** Requests of the last load before its largest paint, without the document. */
  requests: RequestTiming[];
}

/** As timed by the browser: milliseconds since navigation start, and transferred bytes. */
interface RequestTiming {
  name: string;
  start: number;
  end: number;
  bytes: number;
}

interface Load {
  lcp: number;
  element: string;
  firstByte: number;
  shift: number;
  requests: RequestTiming[];
}

/** Loads two pages alternately, each time in a fresh browser context, on the same slow phone and network. */
export async function comparePaints(
  browser: Browser,
  urls: [string, string],
  loads: number,
): Promise<[Paints, Paints]> {
  const paints: [Paints, Paints] = [
    { lcp: [], element: "", firstByte: [], shift: 0, requests: [] },
    { lcp: [], element: "", firstByte: [], shift: 0, requests: [] },
  ];
  // Warm up the browser and the Workers.
  for (const url of urls) await load(browser, url);
  for (let turn = 0; turn < loads; turn += 1) {
    for (const side of [0, 1] as const) {
      const { lcp, element, firstByte, shift, requests } = await load(browser, urls[side]);
      paints[side].lcp.push(lcp);
      paints[side].firstByte.push(firstByte);
      paints[side].shift = Math.max(paints[side].shift, shift);
      paints[side].requests = requests;
      paints[side].element = element;
    }
  }
  if (paints[0].element !== paints[1].element) {
    throw new Error(`The pages differ: one painted ${paints[0].element}, the other ${paints[1].element}`);
  }
  return paints;
}

/** The median of the LCP ratios of consecutive loads. */
export function paintRatio([one, other]: [Paints, Paints]): number {
  return median(one.lcp.map((lcp, index) => lcp / (other.lcp[index] ?? Number.NaN)));
}

async function load(browser: Browser, url: string): Promise<Load> {
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    await emulatePhone(page);
    await page.goto(url, { waitUntil: "networkidle" });
    return await page.evaluate(async () => {
      const entriesOf = (type: string) =>
        new Promise<PerformanceEntry[]>((resolve) => {
          const observer = new PerformanceObserver((list) => resolve(list.getEntries()));
          observer.observe({ type, buffered: true });
          // Without entries, such as on a page without layout shifts, the observer is never called.
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(observer.takeRecords())));
        });
      const shifts = (await entriesOf("layout-shift")) as (PerformanceEntry & { value: number })[];
      const largest = (await entriesOf("largest-contentful-paint")).at(-1) as LargestContentfulPaint | undefined;
      const lcp = largest?.startTime ?? Number.NaN;
      const fetched = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
      const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
      return {
        lcp,
        element: `${largest?.element?.tagName} of ${largest?.size} px`,
        firstByte: navigation?.responseStart ?? Number.NaN,
        shift: shifts.reduce((total, { value }) => total + value, 0),
        requests: fetched
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
