import type { Page } from "@playwright/test";
import { schemes, widths } from "#scripts/lib/site-paths.ts";
import { htmlProblems } from "#tests/support/browser/html.ts";
import { clippedTexts, sidewaysScroll, smallTargets, violations } from "#tests/support/browser/measure.ts";
import { expect } from "#tests/support/browser/test.ts";

/** Expects a page of the owner to be valid and accessible, and to fit every width in both colour schemes. */
export async function expectToFit(page: Page, url: string): Promise<void> {
  await page.goto(url);
  expect(await htmlProblems(await (await page.request.get(url)).text()), url).toEqual([]);
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // Colours change no sizes.
    for (const width of colorScheme === "light" ? widths : [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const where = `${url}, ${width} px, ${colorScheme}`;
      expect(await sidewaysScroll(page), where).toBe(0);
      expect(await smallTargets(page, width < 768 ? 44 : 36), where).toEqual([]);
      expect(await clippedTexts(page), where).toEqual([]);
      if (width === 360 || width === 1280) expect(await violations(page), where).toEqual([]);
    }
  }
}
