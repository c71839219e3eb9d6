import type { Locator } from "@playwright/test";
import { bannerOn, expect, open, test } from "#tests/support/browser/consent.ts";
import { slowUnless } from "#tests/support/browser/slow.ts";

for (const width of [992, 1280, 1920, 2560]) {
  test(
    `the open panel fills ${width} px, and no focus ring in it is cut off`,
    slowUnless(width === 1280),
    async ({ page, site }) => {
      await page.setViewportSize({ width, height: 900 });
      await open(page, site.url);
      const { region, categories } = bannerOn(page);
      await categories.focus();
      await page.keyboard.press("Enter");
      const items = region.getByRole("listitem");
      await expect(items.first()).toBeVisible();

      // The categories are side by side, from one end of the buttons' row to the other.
      const boxes = await items.evaluateAll((all) => all.map((item) => item.getBoundingClientRect().toJSON()));
      expect(new Set(boxes.map(({ top }) => Math.round(top))).size).toBe(1);
      const { left, right } = await contentBox(region.locator(".consent-columns"));
      expect(Math.min(...boxes.map((box) => box.left))).toBeLessThanOrEqual(left + 1);
      expect(Math.max(...boxes.map((box) => box.right))).toBeGreaterThanOrEqual(right - 1);

      const controls = await region.locator("a, summary, button, input:not([type=hidden]):enabled").all();
      expect(controls.length).toBeGreaterThanOrEqual(7);
      await region.locator("a").first().focus();
      for (const control of controls) {
        await expect(control).toBeFocused();
        expect(await cutRing(control), await control.evaluate(({ outerHTML }) => outerHTML.slice(0, 80))).toBe(0);
        await page.keyboard.press("Tab");
      }
    },
  );
}

/** An element's edges without its padding. */
function contentBox(element: Locator): Promise<{ left: number; right: number }> {
  return element.evaluate((box) => {
    const { left, right } = box.getBoundingClientRect();
    const { paddingLeft, paddingRight } = getComputedStyle(box);
    return { left: left + Number.parseFloat(paddingLeft), right: right - Number.parseFloat(paddingRight) };
  });
}

/** How far the focus ring of an element is outside the panel that clips it, or the screen (CSS pixels). */
function cutRing(control: Locator): Promise<number> {
  return control.evaluate((element) => {
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element);
    if (outlineStyle === "none") return Number.NaN;
    const reach = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
    const box = element.getBoundingClientRect();
    const panel = element.closest(".consent") as HTMLElement;
    const { left, top } = panel.getBoundingClientRect();
    const inner = { left: left + panel.clientLeft, top: top + panel.clientTop };
    return Math.max(
      0,
      inner.left - (box.left - reach),
      inner.top - (box.top - reach),
      box.right + reach - Math.min(inner.left + panel.clientWidth, innerWidth),
      box.bottom + reach - Math.min(inner.top + panel.clientHeight, innerHeight),
    );
  });
}
