import type { Locator, Page } from "@playwright/test";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

needs("features");

/** CSS pixels that a pressed header may move. */
const TOLERANCE = 8;

test.use({
  javaScriptEnabled: false,
  viewport: { width: 390, height: 844 },
  contextOptions: { reducedMotion: "no-preference" },
});

test("without JavaScript, a pressed accordion header stays where it is", slow, async ({ page, site }) => {
  await page.goto(site.url);
  // The banner would cover headers.
  await page.getByRole("button", { name: "Decline All" }).click();
  await expect(page.getByRole("region", { name: "Cookie preferences" })).toBeHidden();
  const groups = page.locator("details[name]");
  for (const [position, index] of [2, 1, 1].entries()) {
    const group = groups.nth(index);
    const wasOpen = (await group.getAttribute("open")) !== null;
    const moved = await press(page, group.locator("summary"));
    expect(Math.abs(moved), `press ${position + 1}, on header ${index + 1}`).toBeLessThanOrEqual(TOLERANCE);
    await expect(page.locator("details[name][open]")).toHaveCount(wasOpen ? 0 : 1);
    expect(await group.evaluate((element: HTMLDetailsElement) => element.open)).toBe(!wasOpen);
  }
});

/** Presses a header in the middle of the screen; returns how far it has moved once nothing moves any more. */
async function press(page: Page, header: Locator): Promise<number> {
  await header.evaluate((element) => element.scrollIntoView({ block: "center" }));
  const before = await topWhenStill(page, header);
  await header.click();
  return (await topWhenStill(page, header)) - before;
}

async function topWhenStill(page: Page, header: Locator): Promise<number> {
  // The transitions of a press start in the next frame.
  await untilStable(header);
  // Those of scroll timelines never end.
  const moving = () => document.getAnimations().filter(({ timeline }) => timeline instanceof DocumentTimeline).length;
  await expect.poll(() => page.evaluate(moving)).toBe(0);
  await untilStable(header);
  return header.evaluate((element) => element.getBoundingClientRect().top);
}

/** Waits until an element is at the same place in two frames. `requestAnimationFrame` needs JavaScript; this does not. */
async function untilStable(locator: Locator): Promise<void> {
  await (await locator.elementHandle())?.waitForElementState("stable");
}
