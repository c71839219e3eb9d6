import type { Page } from "@playwright/test";
import * as switches from "#app/switches.ts";
import { openHydrated } from "#tests/support/browser/sign-up-form.ts";
import { slowUnless } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { JOINED, ticketOn } from "#tests/support/browser/ticket.ts";

/** Where the form is, and how long the response takes (milliseconds): browsers excuse shifts for half a second after a click. */
const cases = [
  { width: 360, height: 640, id: "join", delay: 50 },
  { width: 360, height: 640, id: "join", delay: 1_000 },
  { width: 360, height: 640, id: "join", delay: 3_000 },
  { width: 360, height: 740, id: "join", delay: 1_000 },
  { width: 1280, height: 800, id: "join", delay: 1_000 },
  { width: 360, height: 740, id: "join-help", delay: 1_000 },
  { width: 1280, height: 800, id: "join-help", delay: 3_000 },
];

for (const { width, height, id, delay } of cases) {
  if (id === "join-help" && !switches.waysToHelp) continue;
  test(
    `the ticket shifts nothing after ${delay} ms, #${id}, ${width} × ${height}`,
    slowUnless(delay === 1_000 && height === 640),
    async ({ page, site }) => {
      await page.setViewportSize({ width, height });
      await page.route("**/api/signup", async (route) => {
        await new Promise((resolve) => setTimeout(resolve, delay));
        await route.continue();
      });
      await openHydrated(page, site.url);
      const form = page.locator(`form#${id}`);
      await form.getByPlaceholder("Enter your email").fill(`shift-${id}-${width}-${height}-${delay}@example.com`);
      const shifts = await countedShifts(page);
      await form.getByRole("button").first().click();
      await expect(ticketOn(page)).toBeInViewport();
      await expect(form.getByText(JOINED)).toBeInViewport();
      // Until the message has gone, so that all scrolling has ended.
      await expect(form.getByText(JOINED)).toHaveCount(0);
      expect(await shifts()).toEqual([]);
      // The ticket is above the form.
      const bottom = await ticketOn(page).evaluate((ticket) => ticket.getBoundingClientRect().bottom);
      expect(bottom).toBeLessThanOrEqual((await form.boundingBox())?.y ?? 0);
    },
  );
}

/** Layout shifts from now on that count towards Cumulative Layout Shift, with what has moved. */
async function countedShifts(page: Page): Promise<() => Promise<string[]>> {
  const counted = await page.evaluateHandle(() => {
    const seen: string[] = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as LayoutShift[]) {
        const moved = entry.sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 60) : ""));
        if (!entry.hadRecentInput) seen.push(`${entry.value}: ${moved.join(", ")}`);
      }
    }).observe({ type: "layout-shift" });
    return seen;
  });
  return () => counted.jsonValue();
}

interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null }[];
}
