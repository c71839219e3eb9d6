import { type Browser, chromium } from "@playwright/test";
import { capture, startStaticPage } from "#scripts/bench/controls.ts";
import { atMost, type BenchOptions, median, type Outcome } from "#scripts/bench/measurement.ts";
import { startSite } from "#scripts/bench/workers.ts";
import { CHROMIUM_FLAGS, requireChromium } from "#scripts/lib/chromium.ts";

/** Loads of each page, as a share of the rounds under load, which take less time. */
const LOADS = 0.25;

/** Lighthouse's mid-range phone and its slow mobile network. */
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 92_160 };
const CPU_SLOWDOWN = 4;

/** Compares the landing page's largest contentful paint with that of the same page as a static file without script. */
export async function measure({ rounds }: BenchOptions): Promise<Outcome> {
  await using site = await startSite({ transport: "edge" });
  await using file = await startStaticPage(await capture(`${site.url}/`));
  await using browser = await chromium.launch({ executablePath: await requireChromium(), args: CHROMIUM_FLAGS });
  // Warm up the browser and the Workers.
  const painted = await Promise.all([loadPage(browser, site.url), loadPage(browser, file.url)]);
  if (painted[0].element !== painted[1].element) {
    throw new Error(`The pages differ: one painted ${painted[0].element}, the other ${painted[1].element}`);
  }
  const sides: { name: string; url: string; times: number[] }[] = [
    { name: "the site", url: site.url, times: [] },
    { name: "static file without script", url: file.url, times: [] },
  ];
  for (let turn = 0; turn < rounds * LOADS; turn += 1) {
    // Every other turn backwards, so that neither page always follows the other.
    for (const { url, times } of turn % 2 === 0 ? sides : sides.toReversed()) {
      times.push((await loadPage(browser, url)).time);
    }
  }
  const [ours = [], theirs = []] = sides.map(({ times }) => times);
  const ratio = median(ours.map((time, turn) => time / (theirs[turn] ?? Number.NaN)));
  return {
    figures: [atMost("landing page, largest paint relative to a static file without script", ratio, 1.1, "ratio")],
    tables: [
      {
        title: "Largest contentful paint on a slow phone, in milliseconds",
        head: ["", "median", "fastest", "slowest"],
        rows: sides.map(({ name, times }) => [name, median(times), Math.min(...times), Math.max(...times)]),
      },
    ],
  };
}

interface Paint {
  /** Milliseconds since navigation start. */
  time: number;
  /** The painted element, by tag and size. */
  element: string;
}

/** Loads a page in a fresh context on a slow phone. */
async function loadPage(browser: Browser, url: string): Promise<Paint> {
  await using context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", SLOW_4G);
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  await page.goto(url);
  return await page.evaluate(largestPaint);
}

/** Runs in the page. */
function largestPaint(): Promise<Paint> {
  return new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      const { startTime, element, size } = list.getEntries().at(-1) as LargestContentfulPaint;
      resolve({ time: Math.round(startTime), element: `${element?.tagName} of ${size} px` });
    });
    observer.observe({ type: "largest-contentful-paint", buffered: true });
  });
}
