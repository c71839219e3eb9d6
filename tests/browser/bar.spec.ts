import type { Page } from "@playwright/test";
import { declineCookies } from "#scripts/lib/decline-cookies.ts";
import { unreachableControls } from "#tests/support/browser/measure.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

needs("largeLogo");

test.use({ contextOptions: { reducedMotion: "no-preference" } });

test.beforeEach(async ({ context, site }) => declineCookies(context, site.url));

for (const [width, height] of [
  [390, 844],
  [1280, 720],
] as const) {
  test(`at ${width} px the header's logo and button show once the first view is gone`, async ({ page, site }) => {
    await page.setViewportSize({ width, height });
    await page.goto(site.url);
    expect(await opacities(page)).toEqual([0, 0]);
    const [large = 0, small = 0] = await widths(page);
    expect(large / small).toBeGreaterThan(1.5);
    // As soon as the large one has left.
    await page.evaluate(() => {
      const sign = document.querySelector(".large-logo-sign")?.getBoundingClientRect();
      scrollTo(0, Math.ceil(sign?.bottom ?? 0) - 72);
    });
    await expect.poll(() => opacities(page)).toEqual([1, 0]);
    await page.evaluate(() => scrollTo(0, document.querySelector(".hero")?.getBoundingClientRect().bottom ?? 0));
    await expect.poll(() => opacities(page)).toEqual([1, 1]);
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(() => opacities(page)).toEqual([0, 0]);
  });
}

test("the hidden logo and button take no clicks", async ({ page, site }) => {
  await page.goto(site.url);
  const areHit = await page.locator(".bar-home, .bar-join").evaluateAll((links) =>
    links.map((link) => {
      const { left, right, top, bottom } = link.getBoundingClientRect();
      return link.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
    }),
  );
  expect(areHit).toEqual([false, false]);
});

test("the logo and the button take clicks as soon as they can be seen", slow, async ({ page, site }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await page.goto(site.url);
  const end = await page.locator(".hero").evaluate((hero) => hero.getBoundingClientRect().bottom);
  for (let top = 0; top < end; top += 4) {
    // Scroll timelines move on with the next frame.
    await page.evaluate((to) => {
      scrollTo(0, to);
      return new Promise(requestAnimationFrame);
    }, top);
    expect(await unreachableControls(page), `scrolled by ${top} px`).toEqual([]);
  }
});

test("the focus shows the logo and the button", async ({ page, site }) => {
  await page.goto(site.url);
  const shown: Record<string, number> = {};
  for (let stop = 0; stop < 9; stop += 1) {
    await page.keyboard.press("Tab");
    const [focused, opacity] = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement;
      return [element.className, Number(getComputedStyle(element).opacity)] as const;
    });
    shown[focused] = opacity;
  }
  expect(shown).toMatchObject({ "bar-home": 1, "button bar-join": 1 });
  expect(Math.min(...Object.values(shown))).toBe(1);
});

test("without scroll timelines there is one logo, and another only while it has the focus; the button is always there", async ({
  page,
  site,
}) => {
  // As in browsers that do not know the property: the name of another one.
  for (const files of [`${site.url}/`, "**/*.css"])
    await page.route(files, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll("timeline-scope", "timeline-unknown") });
    });
  await page.goto(site.url);
  expect(await opacities(page)).toEqual([0, 1]);
  await page.locator(".bar-home").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Shift+Tab");
  expect(await opacities(page)).toEqual([1, 1]);
});

function opacities(page: Page): Promise<number[]> {
  return page
    .locator(".bar-home, .bar-join")
    .evaluateAll((elements) => elements.map((element) => Number(getComputedStyle(element).opacity)));
}

/** Of the large logo and the header's, without their names (CSS pixels). */
function widths(page: Page): Promise<number[]> {
  return page.locator(".large-logo .logo, .bar .logo").evaluateAll((logos) =>
    logos
      .sort((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top)
      .map((logo) => logo.getBoundingClientRect().width)
      .reverse(),
  );
}
