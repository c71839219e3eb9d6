import type { Page } from "@playwright/test";
import { declineCookies } from "#scripts/lib/decline-cookies.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { expect, test } from "#tests/support/browser/test.ts";

needs("largeLogo");

test.use({ contextOptions: { reducedMotion: "no-preference" } });

test.beforeEach(async ({ context, site }) => declineCookies(context, site.url));

for (const [width, height] of [
  [390, 844],
  [1280, 720],
] as const) {
  test(`at ${width} px the header's name and button show once the first view is gone`, async ({ page, site }) => {
    await page.setViewportSize({ width, height });
    await page.goto(site.url);
    expect(await opacities(page)).toEqual([0, 0]);
    await page.evaluate(() => scrollTo(0, document.querySelector(".hero")?.getBoundingClientRect().bottom ?? 0));
    await expect.poll(() => opacities(page)).toEqual([1, 1]);
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(() => opacities(page)).toEqual([0, 0]);
  });
}

test("the hidden button takes no clicks", async ({ page, site }) => {
  await page.goto(site.url);
  const isHit = await page.locator(".bar-join").evaluate((button) => {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    return button.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
  });
  expect(isHit).toBe(false);
});

test("the focus shows the name and the button", async ({ page, site }) => {
  await page.goto(site.url);
  const shown: Record<string, number> = {};
  for (let stop = 0; stop < 9; stop += 1) {
    await page.keyboard.press("Tab");
    const [focused, opacity] = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement;
      return [
        element.className,
        Number(getComputedStyle(element.querySelector(".bar-name") ?? element).opacity),
      ] as const;
    });
    shown[focused] = opacity;
  }
  expect(shown).toMatchObject({ "bar-home": 1, "button bar-join": 1 });
  expect(Math.min(...Object.values(shown))).toBe(1);
});

test("with reduced motion the name and the button are always there", async ({ page, site }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(site.url);
  expect(await opacities(page)).toEqual([1, 1]);
});

test("without scroll timelines the name and the button are always there", async ({ page, site }) => {
  // As in browsers that do not know the property: the name of another one.
  for (const files of [`${site.url}/`, "**/*.css"])
    await page.route(files, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll("timeline-scope", "timeline-unknown") });
    });
  await page.goto(site.url);
  expect(await opacities(page)).toEqual([1, 1]);
});

test("on other pages the name and the button are always there", async ({ page, site }) => {
  await page.goto(`${site.url}/privacy`);
  expect(await opacities(page)).toEqual([1, 1]);
});

function opacities(page: Page): Promise<number[]> {
  return page
    .locator(".bar-name, .bar-join")
    .evaluateAll((elements) => elements.map((element) => Number(getComputedStyle(element).opacity)));
}
