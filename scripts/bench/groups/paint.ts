import { type Browser, chromium } from "@playwright/test";
import { atMost, compare, median, type Outcome } from "#scripts/bench/measurement.ts";
import { CHROMIUM_FLAGS, requireChromium } from "#scripts/lib/chromium.ts";
import { startSite } from "#scripts/lib/running-site.ts";

/** Loads of each page, which vary less than the rounds under load. */
const LOADS = 11;

/** Lighthouse's mid-range phone and its slow mobile network. */
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 92_160 };
const CPU_SLOWDOWN = 4;

/** Compares the landing page's largest contentful paint with that of the same page in a browser without JavaScript. */
export async function measure(rounds: number): Promise<Outcome> {
  await using server = await startSite();
  await using browser = await chromium.launch({ executablePath: await requireChromium(), args: CHROMIUM_FLAGS });
  const load = (side: "site" | "control") => loadPage(browser, server.url, side === "site");
  // Warms up the browser and the Worker.
  const [{ element }, { element: expected }] = [await load("site"), await load("control")];
  if (element !== expected) throw new Error(`With JavaScript the largest paint is ${element}, without it ${expected}`);
  const { site, control, ratio } = await compare(Math.min(rounds, LOADS), async (side) => (await load(side)).time);
  const times = { "the site": median(site), "without JavaScript": median(control) };
  return {
    figures: [atMost("landing page, largest paint relative to that without JavaScript", ratio, 1.1, "ratio")],
    tables: { "Largest contentful paint on a slow phone, in milliseconds": [times] },
  };
}

/**
 * Loads a page in a fresh context on a slow phone.
 *
 * @returns milliseconds since navigation start, and the painted element, by tag and text: its size depends on when the font came
 */
async function loadPage(browser: Browser, url: string, javaScriptEnabled: boolean) {
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
    const { startTime, element } = observer.takeRecords().at(-1) as LargestContentfulPaint;
    return { time: Math.round(startTime), element: `${element?.tagName} ${element?.textContent}` };
  });
}
