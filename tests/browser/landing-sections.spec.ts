import type { Locator } from "@playwright/test";
import { declineCookies } from "#scripts/lib/decline-cookies.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { expect, test } from "#tests/support/browser/test.ts";

/* How the sections of the landing page use their width. */

test.use({ reducedMotion: "reduce" });

test.beforeEach(async ({ context, page, site }) => {
  await declineCookies(context, site.url);
  await page.goto(site.url);
});

test.describe("the benefits", () => {
  needs("benefits");

  test("are one ticket on a phone, seen at once and readable", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const { height = Infinity } = (await page.locator(".tags").boundingBox()) ?? {};
    expect(height).toBeLessThanOrEqual(360);
    const sizes = await page
      .locator(".tag p")
      .evaluateAll((texts) => texts.map((text) => Number.parseFloat(getComputedStyle(text).fontSize)));
    expect(sizes).toHaveLength(3);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(15);
  });

  test("hide none of their words on a narrow phone, with the text at 200 % too", async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    for (const size of ["100%", "200%"]) {
      await page.evaluate((size) => document.documentElement.style.setProperty("font-size", size), size);
      expect(await outside(page.locator(".tag :is(h2, p)"), ".tags"), size).toEqual([]);
    }
  });
});

test.describe("the ways to help", () => {
  needs("waysToHelp", "survey", "share");

  for (const width of [320, 390, 768, 992, 1280, 1920]) {
    test(`fill each row at ${width} px, in their order, and hold their buttons`, async ({ page }) => {
      await page.setViewportSize({ width, height: 800 });
      const list = page.locator(".ways ul");
      const [left = 0, right = 0] = await list.evaluate((ul) => {
        const box = ul.getBoundingClientRect();
        return [box.left, box.right];
      });
      const boxes = await list.locator("> li").evaluateAll((rows) =>
        rows.map((row) => {
          const { top, left, right } = row.getBoundingClientRect();
          return { top: Math.round(top), left, right };
        }),
      );
      const rows = Object.values(Object.groupBy(boxes, ({ top }) => top)).map((row = []) => row);
      if (width >= 992) expect(rows.length).toBeLessThan(boxes.length);
      for (const row of rows) {
        expect(row[0]?.left).toBeCloseTo(left, 0);
        expect(row.at(-1)?.right).toBeCloseTo(right, 0);
      }
      expect(boxes).toEqual(boxes.toSorted((a, b) => a.top - b.top || a.left - b.left));
      expect(await outside(list.locator(".button, .field").filter({ visible: true }), ".way")).toEqual([]);
    });
  }

  test("give the mailing list its own ground by day and by night", async ({ page }) => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const grounds = await page
        .locator(".ways li")
        .evaluateAll((rows) => rows.map((row) => getComputedStyle(row).backgroundColor));
      const joining = await page
        .locator(".ways li:has(form[id='join-help'])")
        .evaluate((row) => getComputedStyle(row).backgroundColor);
      expect(grounds.filter((ground) => ground === joining)).toHaveLength(1);
    }
  });
});

test("every icon and picture loads", async ({ page, site }) => {
  // Also those of features that are closed at first.
  await page.locator("details").evaluateAll((all) => {
    for (const details of all) {
      details.removeAttribute("name");
      details.setAttribute("open", "");
    }
  });
  const icons = await (await page.request.get(`${site.url}/icons.svg`)).text();
  const pictures = await page.locator("main img").all();
  expect(pictures.length).toBeGreaterThan(0);
  for (const picture of pictures) {
    await picture.scrollIntoViewIfNeeded();
    const source = (await picture.getAttribute("src")) ?? "";
    const width = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
    await expect.poll(width, source).toBeGreaterThan(0);
    const [, icon] = source.split("#");
    if (icon !== undefined) expect(icons).toContain(`<view id="${icon}"`);
  }
});

test("the feet of sample posts look like links", async ({ page }) => {
  needs("blog");
  const feet = await page.locator(".post-target").evaluateAll((feet) =>
    feet.map((foot) => ({
      line: getComputedStyle(foot).textDecorationLine,
      isColoured: getComputedStyle(foot).color !== getComputedStyle(foot.parentElement as Element).color,
    })),
  );
  expect(feet).toEqual(feet.map(() => ({ line: "underline", isColoured: true })));
  expect(feet.length).toBeGreaterThan(0);
});

test("the foot of the board fills its width from 992 px on", async ({ page }) => {
  needs("features");
  await page.setViewportSize({ width: 1280, height: 800 });
  const [groups, foot, button] = await Promise.all(
    [".groups", ".board-foot", ".board-join .button"].map((part) => page.locator(part).boundingBox()),
  );
  expect((button?.x ?? 0) + (button?.width ?? 0)).toBeCloseTo((groups?.x ?? 0) + (groups?.width ?? 0), 0);
  expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual((foot?.y ?? 0) + (foot?.height ?? 0));
});

/** The texts of elements that reach beyond the one around them. */
function outside(elements: Locator, around: string): Promise<string[]> {
  return elements.evaluateAll((elements, around) => {
    const reaching = elements.filter((element) => {
      const box = element.getBoundingClientRect();
      const outer = element.closest(around)?.getBoundingClientRect();
      const fits =
        outer && box.left >= outer.left - 1 && box.right <= outer.right + 1 && box.bottom <= outer.bottom + 1;
      return !fits || element.scrollWidth > element.clientWidth + 1;
    });
    return reaching.map((element) => element.textContent ?? element.tagName);
  }, around);
}
