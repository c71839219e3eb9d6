import type { Page } from "@playwright/test";
import { hydrate } from "#scripts/lib/hydrated.ts";
import { bannerOn } from "#tests/support/browser/consent.ts";
import { holdRequests } from "#tests/support/browser/hydration-control.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { phoneSlowdown } from "#tests/support/browser/phone-slowdown.ts";
import { formOn } from "#tests/support/browser/sign-up-form.ts";
import { nightly } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

needs("features", "roadmap", "share", "waysToHelp");

/* Every press shows a sign at once, on a slow phone too. */

test.setTimeout(120_000);

/** Milliseconds from a press to the first frame that shows a sign of it. */
const LIMIT = 100;

interface Press {
  name: string;
  press: (page: Page) => Promise<void>;
  /** Matches the sign. */
  sign: string;
}

/** The page itself removes every sign after 10 seconds (milliseconds). */
const SIGN_GONE = { timeout: 5_000 };

const BANNER_GONE = "html:not(:has(#consent:not([hidden])))";

const presses: Press[] = [
  { name: "Decline All", press: (page) => bannerOn(page).decline.click(), sign: BANNER_GONE },
  {
    name: "Share",
    press: (page) => page.getByRole("button", { name: /^Share/ }).click(),
    sign: "button[aria-busy=true], html[data-shared]",
  },
  {
    name: "Join Waitlist",
    press: (page) => formOn(page).submit("pressed@example.com"),
    sign: "#join button:is([data-busy], [aria-disabled])",
  },
  {
    name: "a link",
    press: (page) => page.getByRole("contentinfo").getByRole("link", { name: "Roadmap" }).click(),
    sign: "a[data-busy]",
  },
];

for (const { name, press, sign } of presses) {
  for (const when of ["before", "after"]) {
    test(
      `${name} shows within ${LIMIT} ms ${when} hydration that it was pressed`,
      nightly,
      async ({ context, site }) => {
        await context.addInitScript(() => {
          const share = async () => document.documentElement.setAttribute("data-shared", "");
          Object.assign(navigator, { share });
        });
        const blank = await context.newPage();
        const slowdown = await phoneSlowdown(blank);
        await blank.close();
        const times: number[] = [];
        // The fastest of a few presses, and without what a press costs that does nothing: other processes share the CPU.
        while (times.length < 8 && !times.some((time) => time <= LIMIT)) {
          const page = await context.newPage();
          await context.clearCookies();
          await page.goto(site.url);
          if (when === "after") await hydrate(page);
          await slowDown(page, slowdown);
          const frame = timeToSign(page, "html");
          await page.getByRole("heading", { level: 1 }).click();
          const delay = await frame;
          const time = timeToSign(page, sign);
          await press(page);
          times.push((await time) - delay);
          // Chromium can hang when a page is closed while it loads another.
          await page.goto("about:blank");
          await page.close();
        }
        expect(Math.min(...times), `times: ${times}`).toBeLessThanOrEqual(LIMIT);
      },
    );
  }
}

for (const hydrated of [false, true]) {
  test(
    `a bar shows while a page is loading, ${hydrated ? "after" : "before"} hydration, and goes with it`,
    nightly,
    async ({ page, site }) => {
      await page.goto(site.url);
      if (hydrated) await hydrate(page);
      const release = await holdRequests(page, /\/roadmap(\.data)?(\?|$)/);
      const shown = page.waitForEvent("console", (line) => line.text() === "the bar shows");
      // In the page, because Playwright evaluates nothing while a document is loading.
      await page.evaluate(() => {
        requestAnimationFrame(function check() {
          const { content, scale } = getComputedStyle(document.documentElement, "::before");
          if (content !== "none" && Number.parseFloat(scale) > 0) console.log("the bar shows");
          else requestAnimationFrame(check);
        });
      });
      await page.getByRole("contentinfo").getByRole("link", { name: "Roadmap" }).focus();
      // By keyboard, because hovering would prefetch the page.
      await page.keyboard.press("Enter");
      await shown;
      release();
      await expect(page).toHaveURL(`${site.url}/roadmap`);
      await expect(page.locator("[data-busy]")).toHaveCount(0, SIGN_GONE);
    },
  );
}

/** Lighthouse's phone, on a network with 400 ms latency and 50 KB/s. */
async function slowDown(page: Page, slowdown: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 400,
    downloadThroughput: 50 * 1024,
    uploadThroughput: 50 * 1024,
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: Math.max(1, slowdown) });
}

/** Milliseconds from the next click to the first frame in which `selector` matches. */
function timeToSign(page: Page, selector: string): Promise<number> {
  return page.evaluate((sign) => {
    return new Promise<number>((resolve) => {
      const start = () => {
        // Not the event's own time: how late a busy machine delivers it says nothing about the page.
        const pressed = performance.now();
        requestAnimationFrame(function check() {
          if (document.querySelector(sign) === null) requestAnimationFrame(check);
          else resolve(performance.now() - pressed);
        });
      };
      addEventListener("click", start, { capture: true, once: true });
    });
  }, selector);
}
