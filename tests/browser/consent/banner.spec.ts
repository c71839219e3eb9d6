import type { Locator, Page } from "@playwright/test";
import { bannerOn, expect, open, savedChoice, test } from "#tests/browser/consent/support.ts";
import { paths, schemes } from "#tests/browser/support/routes.ts";

test("to a screen reader: a named region with a closed list, a link and three buttons", async ({ page, site }) => {
  await open(page, site.url);
  const { region, categories } = bannerOn(page);
  await expect(region).toMatchAriaSnapshot(`
    - region "Cookie preferences":
      - paragraph
      - paragraph:
        - link "Cookie policy"
      - group: Choose by category
      - button "Decline All"
      - button "Accept Selected"
      - button "Accept All"
  `);
  await categories.click();
  await expect(region.getByRole("list")).toMatchAriaSnapshot(`
    - list:
      - listitem:
        - text: Necessary
        - checkbox "Necessary" [checked] [disabled]
        - paragraph
      - listitem:
        - text: Analytics
        - checkbox "Analytics"
        - paragraph
      - listitem:
        - text: Marketing
        - checkbox "Marketing"
        - paragraph
  `);
  await expect(bannerOn(page).toggle("Marketing")).toHaveAccessibleDescription(/adverts/);
});

test("by keyboard: reached by a skip link, chosen in, and left behind where one was", async ({
  page,
  context,
  site,
}) => {
  await open(page, site.url);
  const banner = bannerOn(page);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the cookie choice" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(banner.region.getByRole("link", { name: "Cookie policy" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(banner.toggle("Analytics")).toBeFocused();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await expect(banner.toggle("Marketing")).toBeFocused();
  for (const button of [banner.decline, banner.acceptSelected]) {
    await page.keyboard.press("Tab");
    await expect(button).toBeFocused();
  }
  await page.keyboard.press("Enter");
  await expect(banner.region).toBeHidden();
  await expect.poll(() => savedChoice(context)).toMatchObject({ analytics: true, marketing: false });
});

test("it is no trap: the keyboard leaves it in both directions", async ({ page, site }) => {
  await open(page, site.url);
  const { region, accept } = bannerOn(page);
  await accept.focus();
  await page.keyboard.press("Tab");
  await expect(region.locator(":focus")).toHaveCount(0);
  await region.getByRole("link", { name: "Cookie policy" }).focus();
  await page.keyboard.press("Shift+Tab");
  await expect(region.locator(":focus")).toHaveCount(0);
});

test("asked for in the footer it takes the focus, and gives it back once answered", async ({ page, site }) => {
  await open(page, site.url);
  const { decline, settings, region } = bannerOn(page);
  await decline.click();
  await settings.focus();
  await page.keyboard.press("Enter");
  await expect(region).toBeFocused();
  await decline.focus();
  await page.keyboard.press("Enter");
  await expect(region).toBeHidden();
  await expect(settings).toBeFocused();
});

test("coming and going it moves nothing on the page", async ({ page, site }) => {
  await open(page, site.url);
  const { decline, settings, region } = bannerOn(page);
  const marks = page.locator("main h2");
  const places = () => marks.evaluateAll((all) => all.map((mark) => mark.getBoundingClientRect().top));
  await page.mouse.wheel(0, 600);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(600);
  const before = await places();
  await decline.click();
  await expect(region).toBeHidden();
  expect(await places()).toEqual(before);
  await settings.evaluate((link: HTMLElement) => link.click());
  await expect(region).toBeVisible();
  expect(await places()).toEqual(before);
});

for (const colorScheme of schemes) {
  for (const width of [320, 360, 768, 1280]) {
    test(`the three buttons have one size and one contrast, ${colorScheme}, ${width} px`, async ({ page, site }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.goto(site.url);
      const { decline, acceptSelected, accept } = bannerOn(page);
      const [first, ...others] = await Promise.all([decline, acceptSelected, accept].map(look));
      for (const other of others) expect(other).toEqual(first);
      expect(first?.contrast).toBeGreaterThan(4.5);
      expect(Math.round(first?.height ?? 0)).toBeGreaterThanOrEqual(44);
    });
  }
}

for (const height of [640, 300]) {
  for (const path of paths) {
    test(`${path} at 320 by ${height} px: whatever has the focus is whole above the banner`, async ({ page, site }) => {
      await page.setViewportSize({ width: 320, height });
      await page.emulateMedia({ reducedMotion: "reduce" });
      await open(page, `${site.url}${path}`);
      const stops = await page
        .locator("main :is(a[href], button, summary, input:not([type=hidden])), footer a")
        .count();
      for (let stop = 0; stop < stops; stop += 1) {
        await page.keyboard.press("Tab");
        expect(await covered(page)).toBe(0);
      }
    });
  }
}

test("at 320 px with the keyboard open the field is free, and the banner still there to be answered", async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await open(page, site.url);
  const { region, decline } = bannerOn(page);
  await expect(region).toBeInViewport();
  const email = page.locator("#join").getByLabel("Your e-mail address");
  await email.click();
  await page.setViewportSize({ width: 320, height: 300 });
  await email.pressSequentially("ada@example");
  expect(await covered(page)).toBe(0);
  await expect(email).toBeInViewport({ ratio: 1 });
  await decline.focus();
  await expect(decline).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Enter");
  await expect(region).toBeHidden();
});

for (const [width, height] of [
  [320, 568],
  [320, 300],
  [1280, 800],
]) {
  test(`with its list open at ${width} by ${height} px: every toggle can be reached and seen whole`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width: width ?? 0, height: height ?? 0 });
    await open(page, site.url);
    const banner = bannerOn(page);
    await banner.categories.click();
    for (const control of [banner.toggle("Analytics"), banner.toggle("Marketing"), banner.decline, banner.accept]) {
      await control.focus();
      expect(await onTop(control)).toBe(true);
      const { width: across, height: down } = (await control.boundingBox()) ?? { width: 0, height: 0 };
      expect(Math.min(across, down)).toBeGreaterThanOrEqual(44);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });
}

for (const gpc of ["0", "1"]) {
  test(`before its list is opened nothing of it has to be scrolled to, Sec-GPC: ${gpc}`, async ({ page, site }) => {
    await page.setExtraHTTPHeaders({ "Sec-GPC": gpc });
    await page.goto(site.url);
    for (const [width, height] of [
      [320, 568],
      [360, 640],
      [1280, 720],
    ] as const) {
      await page.setViewportSize({ width, height });
      const { region } = bannerOn(page);
      expect(await region.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
    }
  });
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the list opens, the toggles count, and the page comes back without the banner", async ({
    page,
    context,
    site,
  }) => {
    await page.goto(`${site.url}/roadmap`);
    const banner = bannerOn(page);
    await expect(banner.toggle("Analytics")).toBeHidden();
    await banner.categories.click();
    await expect(banner.toggle("Necessary")).toBeDisabled();
    await expect(banner.toggle("Necessary")).toBeChecked();
    await expect(banner.toggle("Analytics")).not.toBeChecked();
    await banner.toggle("Analytics").check();
    await banner.acceptSelected.click();
    await expect(page).toHaveURL(`${site.url}/roadmap`);
    await expect(banner.region).toBeHidden();
    expect(await savedChoice(context)).toMatchObject({ analytics: true, marketing: false });
  });
});

/** Size, and the contrast of words and edge against what lies behind (WCAG 2.2, relative luminance). */
function look(button: Locator) {
  return button.evaluate((element) => {
    const { width, height } = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const behind = getComputedStyle(element.closest(".consent") as HTMLElement).backgroundColor;
    const round = (value: number) => Math.round(value * 10) / 10;
    return {
      width: round(width),
      height: round(height),
      font: style.font,
      background: style.backgroundColor,
      contrast: round(contrast(style.color, behind)),
      edge: round(contrast(style.borderTopColor, behind)),
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

/** How much of what has the focus lies under the banner (CSS pixels); nothing while the focus is within it. */
function covered(page: Page): Promise<number> {
  return page.evaluate(() => {
    const banner = document.querySelector(".consent") as HTMLElement;
    const focused = document.activeElement ?? document.body;
    if (banner.contains(focused) || focused === document.body) return 0;
    return Math.max(0, Math.round(focused.getBoundingClientRect().bottom - banner.getBoundingClientRect().top));
  });
}

/** Whether a control can be seen at both of its ends. */
function onTop(control: Locator): Promise<boolean> {
  return control.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const middle = (left + right) / 2;
    return [top + 2, bottom - 2].every((y) => element.contains(document.elementFromPoint(middle, y)));
  });
}
