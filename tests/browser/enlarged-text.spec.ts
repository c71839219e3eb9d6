import type { Page } from "@playwright/test";
import { embed } from "#app/switches.ts";
import { paths } from "#scripts/lib/site-paths.ts";
import { bannerOn } from "#tests/support/browser/consent.ts";
import { clippedTexts, sidewaysScroll } from "#tests/support/browser/measure.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

// Visitors' own styles are not subject to the page's CSP.
test.use({ bypassCSP: true });

for (const path of paths) {
  test(
    `${path} stays usable with text at 200 % and at 400 % zoom`,
    slowUnless(path === "/"),
    async ({ page, site }) => {
      // 1280 px at 400 % is 320 CSS pixels wide and 256 high (WCAG 2.2, 1.4.10).
      await page.setViewportSize({ width: 320, height: 256 });
      await page.goto(`${site.url}${path}`);
      expect(await sidewaysScroll(page)).toBe(0);

      await page.setViewportSize({ width: 1280, height: 800 });
      await page.addStyleTag({ content: "html { font-size: 200% !important }" });
      expect(await sidewaysScroll(page)).toBe(0);
      expect(await clippedBelowBar(page)).toEqual([]);
    },
  );
}

test("enlarged text fits a phone on the landing page", async ({ page, site }) => {
  await page.goto(site.url);
  await expectEnlargedTextFits(page);
});

test("enlarged text fits a phone on every other page", slow, async ({ page, site }) => {
  await page.request.post(`${site.url}/api/signup`, { data: { email: "large@example.com" } });
  await page.request.post(`${site.url}/api/send-welcome`, { data: { email: "large@example.com" } });
  const { text } = await site.emailTo("large@example.com");
  const own = ["your-data", "unsubscribe"].map((page) => new RegExp(`/${page}/\\S+`).exec(text)?.[0] ?? "no link");
  for (const path of [...paths, ...(embed ? ["/api/embed"] : []), ...own]) {
    await page.goto(site.url + path);
    await expectEnlargedTextFits(page);
  }
});

/** With the text sizes that phones and the browsers inside of their apps offer. */
async function expectEnlargedTextFits(page: Page): Promise<void> {
  const style = await page.addStyleTag({ content: ":root { --none: 0 }" });
  for (const [width, height] of [
    [320, 568],
    [360, 640],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const size of [100, 150, 200]) {
      await style.evaluate((element, size) => {
        element.textContent = `html { font-size: ${size}% !important }`;
      }, size);
      const where = `${new URL(page.url()).pathname} at ${width} px, text at ${size} %`;
      expect(await sidewaysScroll(page), where).toBe(0);
      expect(await clippedBelowBar(page), where).toEqual([]);
      expect(await placeholderRoom(page), where).toBeGreaterThanOrEqual(0);
      expect(await reachableChoices(page), where).toEqual(["Decline All", "Accept Selected", "Accept All"]);
    }
  }
}

/** Without the header, whose menu is for screen readers only, and so is its name where there is no room for it. */
async function clippedBelowBar(page: Page): Promise<string[]> {
  return (await clippedTexts(page)).filter((text) => !text.includes('class="bar-'));
}

/** The buttons of the cookie banner whose corners can all be pressed. */
function reachableChoices(page: Page): Promise<string[]> {
  return bannerOn(page)
    .region.getByRole("button")
    .evaluateAll((buttons) =>
      buttons
        .filter((button) => {
          const { left, right, top, bottom } = button.getBoundingClientRect();
          const corners = [left + 4, right - 4].flatMap((x) => [top + 4, bottom - 4].map((y) => [x, y] as const));
          return corners.every(([x, y]) => button.contains(document.elementFromPoint(x, y)));
        })
        .map((button) => button.textContent ?? ""),
    );
}

/** The room that the longest placeholder leaves in its field (CSS pixels). */
function placeholderRoom(page: Page): Promise<number> {
  return page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d");
    const rooms = Array.from(document.querySelectorAll<HTMLInputElement>("[placeholder]"), (field) => {
      const { paddingLeft, paddingRight } = getComputedStyle(field);
      const { fontWeight, fontSize, fontFamily } = getComputedStyle(field, "::placeholder");
      if (canvas) canvas.font = `${fontWeight} ${fontSize} ${fontFamily}`;
      const text = canvas?.measureText(field.placeholder).width ?? 0;
      return field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) - text;
    });
    return Math.min(Number.MAX_SAFE_INTEGER, ...rooms);
  });
}
