import type { Locator, Page } from "@playwright/test";
import { bannerOn, expect, open, test } from "#tests/support/browser/consent.ts";

test("the three buttons look the same", async ({ page, site }) => {
  await page.goto(site.url);
  for (const width of [320, 360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const { decline, acceptSelected, accept } = bannerOn(page);
    const [first, ...others] = await Promise.all([decline, acceptSelected, accept].map(look));
    for (const other of others) expect(other, `${width} px`).toEqual(first);
  }
});

test("the banner never covers the focus at 320 by 640 px, and its closed list does not scroll", async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open(page, site.url);
  expect(await bannerOn(page).region.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
  const stops = await page.locator("main :is(a[href], button, summary, input:not([type=hidden])), footer a").count();
  for (let stop = 0; stop < stops; stop += 1) {
    await page.keyboard.press("Tab");
    await expect.poll(() => coveredPixels(page)).toBe(0);
  }
});

test("with the on-screen keyboard open at 320 px, both the field and the banner can be used", async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await open(page, site.url);
  const { region, decline } = bannerOn(page);
  const email = page.locator("#join").getByPlaceholder("Enter your email");
  await email.click();
  await page.setViewportSize({ width: 320, height: 300 });
  await email.pressSequentially("ada@example");
  await expect.poll(() => coveredPixels(page)).toBe(0);
  await expect(email).toBeInViewport({ ratio: 0.8 });
  await decline.focus();
  await expect(decline).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Enter");
  await expect(region).toBeHidden();
});

test("every control of the open list can be seen, with its ring, once it has the focus", async ({ page, site }) => {
  await open(page, site.url);
  const banner = bannerOn(page);
  await banner.categories.click();
  for (const [width, height] of [
    [320, 568],
    [320, 300],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const control of [banner.toggle("Analytics"), banner.toggle("Marketing"), banner.decline, banner.accept]) {
      await control.focus();
      // On a screen this low the list scrolls below its own edge.
      const ring = height > 300;
      await expect.poll(() => isUncovered(control, ring), `${width} by ${height} px`).toBe(true);
    }
  }
});

/** Size, font and colours. */
function look(button: Locator) {
  return button.evaluate((element) => {
    const { width, height } = element.getBoundingClientRect();
    const { font, color, backgroundColor, borderTopColor } = getComputedStyle(element);
    return { width: Math.round(width), height: Math.round(height), font, color, backgroundColor, borderTopColor };
  });
}

/** How much of the focused element the banner covers (CSS pixels); 0 while the banner has the focus. */
function coveredPixels(page: Page): Promise<number> {
  return page.evaluate(() => {
    const banner = document.querySelector(".consent") as HTMLElement;
    const focused = document.activeElement ?? document.body;
    if (banner.contains(focused) || focused === document.body) return 0;
    return Math.max(0, Math.round(focused.getBoundingClientRect().bottom - banner.getBoundingClientRect().top));
  });
}

/** Whether nothing covers or cuts off the top and bottom of a control, or of its focus ring. */
function isUncovered(control: Locator, withRing: boolean): Promise<boolean> {
  return control.evaluate((element, withRing) => {
    const { outlineWidth, outlineOffset } = getComputedStyle(element);
    const reach = withRing ? Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset) - 1 : -2;
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const panel = element.closest(".consent");
    return [top - reach, bottom + reach].every((y) => {
      const found = document.elementFromPoint((left + right) / 2, y);
      return found !== null && panel?.contains(found) === true;
    });
  }, withRing);
}
