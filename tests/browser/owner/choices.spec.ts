import type { Locator, Page } from "@playwright/test";
import { schemes } from "#scripts/lib/site-paths.ts";
import { expect, test } from "#tests/support/browser/owner-test.ts";
import { slow } from "#tests/support/browser/slow.ts";

/** Least contrast of a control's edge with what is behind it (WCAG 2.2, 1.4.11). */
const LEAST = 3;

for (const colorScheme of schemes) {
  test(
    `the edges of unchecked radios and boxes have a contrast of 3:1, ${colorScheme}`,
    slow,
    async ({ owner: page, site }) => {
      await page.emulateMedia({ colorScheme });
      const seen = new Set<string>();
      for (const path of ["/owner/entries/new", "/owner/entries/export", "/owner/entries"]) {
        await page.goto(`${site.url}${path}`);
        await page.locator("details").evaluateAll((all) => {
          for (const details of all) details.setAttribute("open", "");
        });
        for (const control of await page.locator("main :is([type=radio], [type=checkbox]):not(:checked)").all()) {
          if (!(await control.isVisible())) continue;
          seen.add((await control.getAttribute("type")) ?? "");
          const name = await control.evaluate(({ outerHTML }) => `${location.pathname}: ${outerHTML.slice(0, 90)}`);
          expect(await edgeContrast(page, control), name).toBeGreaterThanOrEqual(LEAST);
        }
      }
      expect([...seen].toSorted()).toEqual(["checkbox", "radio"]);
    },
  );
}

/** The contrast of the outermost pixel on the left edge of a control, at its middle, with the page behind it. */
async function edgeContrast(page: Page, control: Locator): Promise<number> {
  await control.scrollIntoViewIfNeeded();
  const { x = 0, y = 0, height = 0 } = (await control.boundingBox()) ?? {};
  const clip = { x: Math.floor(x) - 5, y: Math.floor(y + height / 2), width: 9, height: 1 };
  const picture = (await page.screenshot({ clip })).toString("base64");
  // A page without a content security policy, which can read the pixels.
  const reader = await page.context().newPage();
  const contrast = await reader.evaluate(async (png) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const context = new OffscreenCanvas(image.width, 1).getContext("2d") as OffscreenCanvasRenderingContext2D;
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, 1);
    const [outside = 0, ...edge] = Array.from({ length: image.width }, (_, pixel) => luminance(pixel * 4));
    const contrasts = edge.map((line) => (Math.max(line, outside) + 0.05) / (Math.min(line, outside) + 0.05));
    return contrasts.find((found) => found > 1.02) ?? 1;

    function luminance(at: number): number {
      const [red = 0, green = 0, blue = 0] = Array.from(data.slice(at, at + 3), (channel) => {
        const share = channel / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    }
  }, picture);
  await reader.close();
  return contrast;
}
