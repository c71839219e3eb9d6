import type { Page } from "@playwright/test";
import { paths, schemes, widths } from "#tests/browser/support/routes.ts";
import { expect, test } from "#tests/browser/support/test.ts";

const MOBILE_TARGET = 44;
const DESKTOP_TARGET = 36;
const DESKTOP_FROM = 768;
const FORM_WIDTH = 32 * 16;

for (const path of paths) {
  test(`${path} fits every width in both schemes: no sideways scroll, bar, form, targets`, async ({ page, site }) => {
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.goto(`${site.url}${path}`);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        const where = `${path} at ${width} px, ${colorScheme}`;
        expect(await sidewaysScroll(page), where).toBe(0);
        await expect(page.getByRole("banner"), where).toHaveCSS("height", "60px");
        await expect(page.getByRole("banner"), where).toHaveCSS("position", "fixed");
        for (const form of await page.locator("form").all()) {
          expect((await form.boundingBox())?.width, where).toBeLessThanOrEqual(FORM_WIDTH);
        }
        expect(await smallTargets(page, width < DESKTOP_FROM ? MOBILE_TARGET : DESKTOP_TARGET), where).toEqual([]);
      }
    }
  });

  test(`${path} stays usable with text at 200 % and at 400 % zoom`, async ({ page, site }) => {
    // 1280 px at 400 % is 320 CSS pixels wide and 256 high (WCAG 2.2, 1.4.10).
    await page.setViewportSize({ width: 320, height: 256 });
    await page.goto(`${site.url}${path}`);
    expect(await sidewaysScroll(page)).toBe(0);

    await page.setViewportSize({ width: 1280, height: 800 });
    await page.addStyleTag({ content: "html { font-size: 200% !important }" });
    expect(await sidewaysScroll(page)).toBe(0);
    expect(await clippedTexts(page)).toEqual([]);
  });
}

test("the evening scheme has colours of its own", async ({ page, site }) => {
  const backgrounds: string[] = [];
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    await page.goto(site.url);
    backgrounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
  }
  expect(backgrounds).toEqual(["rgb(251, 246, 236)", "rgb(20, 27, 45)"]);
});

/** How far the page could be scrolled to the side (CSS pixels). */
function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Controls below a size, save for links within a sentence (WCAG 2.2, 2.5.8, "inline"). */
function smallTargets(page: Page, smallest: number): Promise<string[]> {
  return page.evaluate((least) => {
    const controls = document.querySelectorAll<HTMLElement>("a[href], button, summary, input:not([type=hidden])");
    return Array.from(controls)
      .filter(
        (control) => control.checkVisibility({ visibilityProperty: true }) && !control.closest("[aria-hidden=true]"),
      )
      .filter((control) => !isInSentence(control) && !isOffScreen(control))
      .map((control) => ({ control, box: control.getBoundingClientRect() }))
      .filter(({ box }) => Math.round(box.height) < least || Math.round(box.width) < least)
      .map(({ control, box }) => `${control.outerHTML.slice(0, 120)} ${box.width}x${box.height}`);

    function isInSentence(control: HTMLElement): boolean {
      if (getComputedStyle(control).display !== "inline") return false;
      const siblings = Array.from(control.parentElement?.childNodes ?? []);
      return siblings.some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== "");
    }

    function isOffScreen(control: HTMLElement): boolean {
      const { right, bottom } = control.getBoundingClientRect();
      return right <= 0 || bottom + scrollY <= 0;
    }
  }, smallest);
}

/** Controls and headings whose text does not fit into them. */
function clippedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Array.from(document.querySelectorAll<HTMLElement>("a, button, summary, h1, h2, h3"))
      .filter((element) => element.checkVisibility() && getComputedStyle(element).overflowX !== "visible")
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1)
      .map((element) => element.outerHTML.slice(0, 120)),
  );
}
