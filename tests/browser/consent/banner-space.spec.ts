import type { Locator, Page } from "@playwright/test";
import { paths, schemes } from "#scripts/lib/site-paths.ts";
import { bannerOn, expect, open, test } from "#tests/support/browser/consent.ts";
import { sidewaysScroll } from "#tests/support/browser/measure.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";

for (const colorScheme of schemes) {
  test(
    `the three buttons have the same size and contrast, ${colorScheme}`,
    slowUnless(colorScheme === "light"),
    async ({ page, site }) => {
      await page.emulateMedia({ colorScheme });
      await page.goto(site.url);
      for (const width of [320, 360, 768, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        const { decline, acceptSelected, accept } = bannerOn(page);
        const [first, ...others] = await Promise.all([decline, acceptSelected, accept].map(look));
        for (const other of others) expect(other).toEqual(first);
        expect(first?.contrast).toBeGreaterThan(4.5);
        expect(Math.round(first?.height ?? 0)).toBeGreaterThanOrEqual(44);
      }
    },
  );
}

for (const { hasTouch, viewport, minimum } of [
  { hasTouch: true, viewport: { width: 320, height: 568 }, minimum: 44 },
  { hasTouch: true, viewport: { width: 1280, height: 800 }, minimum: 44 },
  { hasTouch: false, viewport: { width: 1280, height: 800 }, minimum: 36 },
]) {
  test.describe(() => {
    test.use({ hasTouch, isMobile: hasTouch, viewport });

    test(
      `the link to the cookie policy is ${minimum} px high at ${viewport.width} px, ${hasTouch ? "touch" : "mouse"}`,
      slowUnless(viewport.width === 320),
      async ({ page, site }) => {
        await page.goto(site.url);
        const link = bannerOn(page).region.getByRole("link", { name: "Cookie policy" });
        const { width, height } = (await link.boundingBox()) ?? { width: 0, height: 0 };
        expect(Math.round(height)).toBeGreaterThanOrEqual(minimum);
        expect(Math.round(width)).toBeGreaterThanOrEqual(minimum);
        expect(await isUncovered(link)).toBe(true);
      },
    );
  });
}

for (const height of [640, 300]) {
  for (const path of height === 640 ? ["/"] : paths) {
    test(`the banner never covers the focus on ${path} at 320 by ${height} px`, slow, async ({ page, site }) => {
      await page.setViewportSize({ width: 320, height });
      await page.emulateMedia({ reducedMotion: "reduce" });
      await open(page, `${site.url}${path}`);
      const stops = await page
        .locator("main :is(a[href], button, summary, input:not([type=hidden])), footer a")
        .count();
      for (let stop = 0; stop < stops; stop += 1) {
        await page.keyboard.press("Tab");
        await expect.poll(() => coveredPixels(page)).toBe(0);
      }
    });
  }
}

test(
  "with the on-screen keyboard open at 320 px, both the field and the banner can be used",
  slow,
  async ({ page, site }) => {
    await page.setViewportSize({ width: 320, height: 568 });
    await open(page, site.url);
    const { region, decline } = bannerOn(page);
    await expect(region).toBeInViewport();
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
  },
);

for (const [width, height] of [
  [320, 568],
  [320, 300],
  [1280, 800],
]) {
  test(
    `every toggle of the open list is fully visible at ${width} by ${height} px`,
    slowUnless(height === 568),
    async ({ page, site }) => {
      await page.setViewportSize({ width: width ?? 0, height: height ?? 0 });
      await open(page, site.url);
      const banner = bannerOn(page);
      await banner.categories.click();
      for (const control of [banner.toggle("Analytics"), banner.toggle("Marketing"), banner.decline, banner.accept]) {
        await control.focus();
        await expect.poll(() => isUncovered(control)).toBe(true);
        const { width: across, height: down } = (await control.boundingBox()) ?? { width: 0, height: 0 };
        expect(Math.min(across, down)).toBeGreaterThanOrEqual(44);
      }
      expect(await sidewaysScroll(page)).toBe(0);
    },
  );
}

for (const gpc of ["0", "1"]) {
  test(`the banner with its list closed does not scroll, Sec-GPC: ${gpc}`, slow, async ({ page, site }) => {
    await page.setExtraHTTPHeaders({ "Sec-GPC": gpc });
    await page.goto(site.url);
    for (const [width, height] of [
      [320, 568],
      [360, 640],
      [1280, 720],
    ] as const) {
      await page.setViewportSize({ width, height });
      const { region } = bannerOn(page);
      await expect.poll(() => region.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
    }
  });
}

/** Size, and the contrast of text and border against the background (WCAG 2.2, relative luminance). */
function look(button: Locator) {
  return button.evaluate((element) => {
    const { width, height } = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const background = getComputedStyle(element.closest(".consent") as HTMLElement).backgroundColor;
    const round = (value: number) => Math.round(value * 10) / 10;
    return {
      width: round(width),
      height: round(height),
      font: style.font,
      background: style.backgroundColor,
      contrast: round(contrast(style.color, background)),
      border: round(contrast(style.borderTopColor, background)),
    };

    function contrast(one: string, other: string): number {
      const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
      return (lighter + 0.05) / (darker + 0.05);
    }

    function luminance(color: string): number {
      const channels = (color.match(/[\d.]+/g) ?? []).slice(0, 3).map((channel) => Number(channel) / 255);
      const [red = 0, green = 0, blue = 0] = channels.map((c) =>
        c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    }
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

/** Whether nothing covers a control's top and bottom edges. */
function isUncovered(control: Locator): Promise<boolean> {
  return control.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const middle = (left + right) / 2;
    return [top + 2, bottom - 2].every((y) => element.contains(document.elementFromPoint(middle, y)));
  });
}
