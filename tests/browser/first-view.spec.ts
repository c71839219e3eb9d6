import type { Locator } from "@playwright/test";
import { site as product } from "#app/site.ts";
import { untilHydrated } from "#scripts/lib/hydrated.ts";
import { bannerOn } from "#tests/support/browser/consent.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { untilDrawn } from "#tests/support/browser/settled.ts";
import { formOn } from "#tests/support/browser/sign-up-form.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { textSizeOf } from "#tests/support/browser/walk.ts";

const screens = [
  [320, 568],
  [360, 640],
  [375, 667],
  [390, 844],
  [768, 1024],
  [1280, 720],
] as const;

/** The form of a fork may have one more field, for which these have no room. */
const short = [
  [320, 480],
  [375, 553],
] as const;

for (const { what, gpc, sizes, when } of [
  { what: "nothing covers it", gpc: "0", sizes: screens, when: {} },
  { what: "under Global Privacy Control nothing covers it", gpc: "1", sizes: [[375, 667]], when: {} },
  { what: "on short screens nothing covers it", gpc: "0", sizes: short, when: slow },
  { what: "on short screens, under Global Privacy Control, nothing covers it", gpc: "1", sizes: short, when: slow },
] as const) {
  test(`the sign-up form on a first visit: ${what}`, when, async ({ page, site }) => {
    await page.setExtraHTTPHeaders({ "Sec-GPC": gpc });
    await page.goto(site.url);
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      const where = `${width} × ${height}`;
      await expect(bannerOn(page).region, where).toBeInViewport({ ratio: 1 });
      for (const control of [formOn(page).email, formOn(page).button])
        await expect.poll(() => coveredCorners(control), where).toBe(0);
    }
  });
}

for (const [when, path, gpc, least] of [
  ["on a first visit", "/", "0", 75],
  ["under Global Privacy Control", "/", "1", 60],
  ["with a friend’s link", "/?via=abcd2345", "0", 60],
] as const) {
  test(`${when} the market shows above the banner, which takes at most a quarter of the view`, async ({
    page,
    site,
  }) => {
    needs("drawing");
    await page.setExtraHTTPHeaders({ "Sec-GPC": gpc });
    await page.goto(site.url + path);
    for (const [width, height] of [
      [360, 640],
      [375, 667],
      [390, 844],
      [768, 1024],
      [1280, 720],
      [2560, 1300],
    ] as const) {
      await page.setViewportSize({ width, height });
      const where = `${width} × ${height}`;
      const banner = await bannerOn(page).region.boundingBox();
      expect(banner?.height, where).toBeLessThanOrEqual(height / 4);
      for (const side of [".left-side", ".right-side"]) {
        const stall = await page.locator(`.market ${side}`).boundingBox();
        // From the awning down to its maker: the head, or at least the hair.
        expect((banner?.y ?? 0) - (stall?.y ?? height), `${where} ${side}`).toBeGreaterThanOrEqual(least);
      }
    }
  });
}

test("on phones the headline is in the upper fifth of the view", async ({ page, site }) => {
  await page.goto(site.url);
  for (const [width, height] of [
    [360, 640],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    const headline = await page.getByRole("heading", { level: 1 }).boundingBox();
    expect(headline?.y, `${width} × ${height}`).toBeLessThanOrEqual(height / 5);
  }
});

test("with text at 200 % the banner is at the page's end", async ({ page, site }) => {
  await (await textSizeOf(page))(200);
  for (const [width, height] of [
    [360, 640],
    [390, 844],
    [1280, 720],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(site.url);
    await expect(bannerOn(page).region, `${width} × ${height}`).toHaveCSS("position", "static");
  }
});

test("the first view on a phone has one logo, one button to join, and no tagline", async ({ page, site }) => {
  await page.goto(site.url);
  for (const [width, height] of [
    [360, 640],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const hidden of [".bar-join", ".bar-home"]) await expect(page.locator(hidden)).toHaveCSS("opacity", "0");
    await expect(page.getByText(product.tagline, { exact: true })).toBeHidden();
  }
});

test("at 320 by 480 px nothing covers the address while it is typed", async ({ page, site }) => {
  await page.setViewportSize({ width: 320, height: 480 });
  await page.goto(site.url);
  const { email } = formOn(page);
  await email.pressSequentially("ada@example.com");
  await untilHydrated(page);
  await untilDrawn(page);
  expect(await coveredCorners(email)).toBe(0);
});

/** How many of a control's corners, two pixels inside, are covered or outside the viewport. */
function coveredCorners(control: Locator): Promise<number> {
  return control.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const corners = [left + 4, right - 4].flatMap((x) => [top + 4, bottom - 4].map((y) => [x, y] as const));
    return corners.filter(([x, y]) => !element.contains(document.elementFromPoint(x, y))).length;
  });
}
