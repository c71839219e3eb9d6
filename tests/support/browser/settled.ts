import type { Page } from "@playwright/test";

/** Waits until the page has finished its pending work. */
export async function untilIdle(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
}

/** Waits until two frames are drawn, so that what happened before shows and transitions have started. */
export async function untilDrawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}
