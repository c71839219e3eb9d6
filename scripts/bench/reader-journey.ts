import type { Browser, BrowserContext, Locator, Page } from "@playwright/test";
import { emulatePhone, PHONE } from "#scripts/bench/slow-phone.ts";
import { hydrate, recordHydration } from "#scripts/lib/hydrated.ts";

/** What a visitor who reads the site receives and waits for. */
export interface Journey {
  /** Bytes over the wire for the landing page, scrolled to its end. */
  landing: number;
  /** Bytes over the wire for everything. */
  bytes: number;
  /** Of those, scripts. */
  script: number;
  /** Milliseconds from the tap on a link to the next page's first paint: the roadmap, and back to the landing page. */
  paints: [number, number];
}

interface JourneyOptions {
  /** Hydrates every page after it has loaded, as the site did before it left that to the visitor's actions. */
  hydrated: boolean;
}

/** Reads the landing page to its end, opens its accordion, and follows links to the roadmap and back, on a slow phone. */
export async function takeJourney(browser: Browser, url: string, { hydrated }: JourneyOptions): Promise<Journey> {
  const context = await browser.newContext(PHONE);
  try {
    await recordHydration(context);
    const taps = await recordTaps(context);
    const page = await context.newPage();
    await emulatePhone(page);
    const received = await countBytes(page);
    const settle = async () => {
      if (hydrated) await hydrate(page);
      await page.waitForLoadState("networkidle");
    };
    await page.goto(url, { waitUntil: "networkidle" });
    await settle();
    await readToEnd(page);
    const landing = received.bytes;
    for (const summary of await page.locator("details[name] > summary").all()) await summary.tap();
    const there = await timeLink(page, page.getByRole("contentinfo").getByRole("link", { name: "Roadmap" }), taps);
    await settle();
    const back = await timeLink(page, page.getByRole("banner").getByRole("link").first(), taps);
    await settle();
    return { landing, ...received, paints: [there, back] };
  } finally {
    await context.close();
  }
}

/** Bytes received by a page so far: headers and compressed bodies. */
async function countBytes(page: Page): Promise<{ bytes: number; script: number }> {
  const received = { bytes: 0, script: 0 };
  const scripts = new Set<string>();
  const session = await page.context().newCDPSession(page);
  session.on("Network.requestWillBeSent", ({ requestId, request, type }) => {
    if (type === "Script" || new URL(request.url).pathname.endsWith(".js")) scripts.add(requestId);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    received.bytes += encodedDataLength;
    if (scripts.has(requestId)) received.script += encodedDataLength;
  });
  await session.send("Network.enable");
  return received;
}

/** Scrolls a screen at a time, so that lazy pictures load. */
async function readToEnd(page: Page): Promise<void> {
  const screens = await page.evaluate(() => Math.ceil(document.documentElement.scrollHeight / innerHeight));
  for (let screen = 1; screen <= screens; screen += 1) {
    await page.evaluate((top) => scrollTo(0, top * innerHeight), screen);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await page.waitForFunction(() => Array.from(document.images).every(({ complete }) => complete));
}

/** Times of the taps in a context, in milliseconds since 1970. */
async function recordTaps(context: BrowserContext): Promise<number[]> {
  const taps: number[] = [];
  await context.exposeFunction("recordTap", (time: number) => void taps.push(time));
  await context.addInitScript(() => {
    const record = (window as unknown as { recordTap: (time: number) => void }).recordTap;
    addEventListener("click", ({ timeStamp }) => record(performance.timeOrigin + timeStamp), true);
  });
  return taps;
}

async function timeLink(page: Page, link: Locator, taps: number[]): Promise<number> {
  const url = page.url();
  // Rejected when another document replaces this one.
  const swapped = page.evaluate(newHeadingPaint).catch(() => null);
  await link.tap();
  await page.waitForURL((current) => current.href !== url);
  await page.waitForLoadState("networkidle");
  const painted = (await swapped) ?? (await page.evaluate(firstPaint));
  return painted - (taps.at(-1) ?? Number.NaN);
}

/** When a client-side navigation has painted a new heading, in milliseconds since 1970. Runs in the page. */
function newHeadingPaint(): Promise<number> {
  const heading = () => document.querySelector("h1")?.textContent;
  const old = heading();
  return new Promise((resolve) => {
    requestAnimationFrame(function check() {
      if (heading() === old) requestAnimationFrame(check);
      else requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
    });
  });
}

/** When the document was first painted, in milliseconds since 1970. Runs in the page. */
function firstPaint(): number {
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return performance.timeOrigin + (paint?.startTime ?? Number.NaN);
}
