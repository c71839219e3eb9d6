import { type Browser, chromium } from "@playwright/test";
import { atMost, type BenchOptions, median, type Outcome } from "#scripts/bench/measurement.ts";
import { CHROMIUM_FLAGS, requireChromium } from "#scripts/lib/chromium.ts";
import { startSite } from "#scripts/lib/running-site.ts";

/** Loads of each page, as a share of the rounds under load, which take less time. */
const LOADS = 0.25;

/** Lighthouse's mid-range phone and its slow mobile network. */
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 92_160 };
const CPU_SLOWDOWN = 4;

/** Compares the landing page's largest contentful paint with that of the same page in a browser without JavaScript. */
export async function measure({ rounds }: BenchOptions): Promise<Outcome> {
  await using site = await startSite();
  await using browser = await chromium.launch({ executablePath: await requireChromium(), args: CHROMIUM_FLAGS });
  const sides = [
    { name: "the site", javaScriptEnabled: true, times: [] as number[] },
    { name: "without JavaScript", javaScriptEnabled: false, times: [] as number[] },
  ];
  // Warms up the browser and the Worker.
  const painted = await Promise.all(sides.map((side) => loadPage(browser, site.url, side)));
  if (painted[0]?.element !== painted[1]?.element) {
    throw new Error(`With JavaScript the page painted ${painted[0]?.element}, without it ${painted[1]?.element}`);
  }
  for (let turn = 0; turn < rounds * LOADS; turn += 1) {
    // Every other turn backwards, so that neither always follows the other.
    for (const side of turn % 2 === 0 ? sides : sides.toReversed()) {
      side.times.push((await loadPage(browser, site.url, side)).time);
    }
  }
  const [ours = [], theirs = []] = sides.map(({ times }) => times);
  const ratio = median(ours.map((time, turn) => time / (theirs[turn] ?? Number.NaN)));
  return {
    figures: [atMost("landing page, largest paint relative to that without JavaScript", ratio, 1.1, "ratio")],
    tables: [
      {
        title: "Largest contentful paint on a slow phone, in milliseconds",
        head: ["", "median", "fastest", "slowest"],
        rows: sides.map(({ name, times }) => [name, median(times), Math.min(...times), Math.max(...times)]),
      },
    ],
  };
}

/**
 * Loads a page in a fresh context on a slow phone.
 *
 * @returns milliseconds since navigation start, and the painted element, by tag and size
 */
async function loadPage(browser: Browser, url: string, { javaScriptEnabled }: { javaScriptEnabled: boolean }) {
  await using context = await browser.newContext({ ...PHONE, javaScriptEnabled });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", SLOW_4G);
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  await page.goto(url);
  // The paint of what has loaded last.
  await page.waitForTimeout(100);
  return await page.evaluate(() => {
    // Without JavaScript, the observer's own function would never be called.
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type: "largest-contentful-paint", buffered: true });
    const { startTime, element, size } = observer.takeRecords().at(-1) as LargestContentfulPaint;
    return { time: Math.round(startTime), element: `${element?.tagName} of ${size} px` };
  });
}
