import { declineCookies } from "#scripts/lib/decline-cookies.ts";
import { schemes } from "#scripts/lib/site-paths.ts";
import { textContrasts } from "#tests/support/browser/contrast.ts";
import { coveredWords, drawingFaults } from "#tests/support/browser/drawing.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

needs("drawing", "largeLogo");

const words = ".large-logo-sign, .large-logo-tagline, .hero-words :is(h1, .lead, .sign-up-label, .sign-up-promise, a)";

test.use({ reducedMotion: "reduce" });

for (const width of [320, 360, 575, 576, 768, 992, 1199, 1200, 1500, 1920, 2560, 3840]) {
  for (const colorScheme of schemes) {
    test(
      `at ${width} px, ${colorScheme}, the drawings are whole and the words stand clear of them`,
      slow,
      async ({ page, context, site }) => {
        await declineCookies(context, site.url);
        await page.setViewportSize({ width, height: 1000 });
        await page.emulateMedia({ colorScheme });
        await page.goto(site.url);
        await page.evaluate(() => document.fonts.ready);
        expect(await drawingFaults(page)).toEqual([]);
        expect(await coveredWords(page)).toEqual([]);
        const contrasts = await textContrasts(page, words);
        expect(contrasts.length).toBeGreaterThan(6);
        expect(contrasts.filter(({ contrast }) => contrast < 4.5)).toEqual([]);
      },
    );
  }
}

test("wider screens show more of the market", slow, async ({ page, site }) => {
  const stalls = async (width: number) => {
    await page.setViewportSize({ width, height: 800 });
    return page.locator(".market use[href='#stall']:visible, .market use[href='#person']:visible").count();
  };
  await page.goto(site.url);
  const counts = [await stalls(575), await stalls(576), await stalls(1200)];
  expect(counts).toEqual(counts.toSorted((one, other) => one - other));
  expect(new Set(counts).size).toBe(3);
});

test("the tagline of phones leaves no single word on its last line", slow, async ({ page, site }) => {
  await page.goto(site.url);
  const tagline = page.locator(".large-logo-tagline");
  for (const textWrap of ["balance", "wrap"]) {
    await tagline.evaluate((element, value) => element.style.setProperty("text-wrap", value), textWrap);
    for (const width of [320, 360, 375, 390, 412, 480, 575]) {
      await page.setViewportSize({ width, height: 844 });
      const lines = await tagline.evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return Array.from(range.getClientRects(), (line) => line.width);
      });
      expect((lines.at(-1) ?? 0) / Math.max(...lines), `${width} px, ${textWrap}`).toBeGreaterThan(0.5);
    }
  }
});
