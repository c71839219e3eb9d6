import { paths, schemes, widths } from "#scripts/lib/site-paths.ts";
import { sidewaysScroll, smallTargets } from "#tests/support/browser/measure.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

const MOBILE_TARGET = 44;
const DESKTOP_TARGET = 36;
const DESKTOP_FROM = 768;
const FORM_WIDTH = 32 * 16;

for (const path of paths) {
  test(
    `the layout of ${path} fits every width in both colour schemes`,
    slowUnless(path === "/"),
    async ({ page, site }) => {
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.goto(`${site.url}${path}`);
        for (const width of widths) {
          await page.setViewportSize({ width, height: 800 });
          const where = `${path} at ${width} px, ${colorScheme}`;
          expect(await sidewaysScroll(page), where).toBe(0);
          await expect(page.getByRole("banner"), where).toHaveCSS("height", "60px");
          await expect(page.getByRole("banner"), where).toHaveCSS("position", "fixed");
          // On narrow screens the banner's form has no box of its own, but its row of buttons has.
          for (const form of await page.locator("form:not(.consent form), .consent-buttons").all()) {
            expect((await form.boundingBox())?.width, where).toBeLessThanOrEqual(FORM_WIDTH);
          }
          expect(await smallTargets(page, width < DESKTOP_FROM ? MOBILE_TARGET : DESKTOP_TARGET), where).toEqual([]);
        }
      }
    },
  );
}

test("the swaying bunting does not scroll the page sideways", slow, async ({ page, site }) => {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(site.url);
    const lines = await page.evaluate(() => {
      const bunting = document.querySelector<HTMLElement>(".bunting");
      // It sways only once, perhaps before this runs: start it again.
      bunting?.style.setProperty("display", "none");
      bunting?.getBoundingClientRect();
      bunting?.style.removeProperty("display");
      const swaying = bunting?.getAnimations({ subtree: true }) ?? [];
      for (const animation of swaying) {
        const { delay = 0, duration } = animation.effect?.getTiming() ?? {};
        animation.pause();
        // Where it leans furthest.
        animation.currentTime = delay + Number(duration) * 0.2;
      }
      return swaying.length;
    });
    expect(lines).toBeGreaterThan(0);
    expect(await sidewaysScroll(page), `${width} px`).toBe(0);
  }
});

test.describe("on a phone held sideways", () => {
  test.use({ viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true });

  for (const path of paths) {
    test(`controls of ${path} have the size for touch`, slow, async ({ page, site }) => {
      await page.goto(`${site.url}${path}`);
      expect(await smallTargets(page, MOBILE_TARGET)).toEqual([]);
    });
  }
});

test("the light and dark schemes have different backgrounds", slow, async ({ page, site }) => {
  const backgrounds: string[] = [];
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    await page.goto(site.url);
    backgrounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
  }
  expect(new Set(backgrounds).size).toBe(2);
});
