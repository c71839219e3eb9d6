import type { Locator, Page } from "@playwright/test";
import { site as product } from "#app/site.ts";
import { untilHydrated } from "#scripts/lib/hydrated.ts";
import { bannerOn } from "#tests/support/browser/consent.ts";
import { untilDrawn } from "#tests/support/browser/settled.ts";
import { formOn } from "#tests/support/browser/sign-up-form.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

const screens = [
  [320, 480],
  [320, 500],
  [320, 568],
  [360, 640],
  [375, 553],
  [375, 667],
  [390, 844],
  [768, 1024],
  [1280, 720],
] as const;

for (const [width, height] of screens) {
  test(
    `on a first visit at ${width} by ${height} px nothing covers the sign-up form`,
    slowUnless(width === 360),
    async ({ page, site }) => {
      await page.setViewportSize({ width, height });
      await page.goto(site.url);
      await expectFormUncovered(page);
    },
  );
}

for (const [width, height] of [
  [360, 640],
  [390, 844],
] as const) {
  test(`the first view at ${width} by ${height} px has one logo, one button to join, and no tagline`, async ({
    page,
    site,
  }) => {
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await page.setViewportSize({ width, height });
    await page.goto(site.url);
    expect(await coveredCorners(formOn(page).button)).toBe(0);
    const opacity = (element: Element) => getComputedStyle(element).opacity;
    expect(await page.locator(".bar-join").evaluate(opacity)).toBe("0");
    expect(await page.locator(".bar-home").evaluate(opacity)).toBe("0");
    await expect(page.getByText(product.tagline, { exact: true })).toBeHidden();
  });
}

test("at 320 by 480 px nothing covers the address while it is typed", async ({ page, site }) => {
  await page.setViewportSize({ width: 320, height: 480 });
  await page.goto(site.url);
  const { email } = formOn(page);
  expect(await coveredCorners(email)).toBe(0);
  await email.pressSequentially("ada@example.com");
  await untilHydrated(page);
  await untilDrawn(page);
  expect(await coveredCorners(email)).toBe(0);
});

test("the longer banner for Global Privacy Control does not cover the form either", slow, async ({ page, site }) => {
  await page.setExtraHTTPHeaders({ "Sec-GPC": "1" });
  for (const [width, height] of [
    [320, 480],
    [375, 667],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(site.url);
    await expectFormUncovered(page);
  }
});

test("the open list of cookie categories leaves the three buttons visible at 375 by 667 px", async ({ page, site }) => {
  await page.setViewportSize({ width: 375, height: 667 });
  await page.goto(site.url);
  const { categories, toggle, decline, acceptSelected, accept } = bannerOn(page);
  await categories.click();
  await expect(toggle("Analytics")).toBeVisible();
  for (const button of [decline, acceptSelected, accept]) await expect.poll(() => coveredCorners(button)).toBe(0);
});

async function expectFormUncovered(page: Page): Promise<void> {
  await expect(bannerOn(page).region).toBeInViewport({ ratio: 1 });
  const fields = await page.locator("form#join").getByRole("textbox").all();
  for (const control of [...fields, formOn(page).button]) await expect.poll(() => coveredCorners(control)).toBe(0);
}

/** How many of a control's corners, two pixels inside, are covered or outside the viewport. */
function coveredCorners(control: Locator): Promise<number> {
  return control.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const corners = [left + 4, right - 4].flatMap((x) => [top + 4, bottom - 4].map((y) => [x, y] as const));
    return corners.filter(([x, y]) => !element.contains(document.elementFromPoint(x, y))).length;
  });
}
