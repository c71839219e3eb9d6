import { schemes } from "#scripts/lib/site-paths.ts";
import { htmlProblems } from "#tests/support/browser/html.ts";
import { sidewaysScroll, smallTargets, violations } from "#tests/support/browser/measure.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { expect, test } from "#tests/support/browser/owner-test.ts";
import { slow } from "#tests/support/browser/slow.ts";

needs("api");

test(
  "the readable page of the API is valid, accessible, and fits every width in both colour schemes",
  slow,
  async ({ page, site }) => {
    const errors: string[] = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await page.goto(`${site.url}/api/v1`);
    expect(await htmlProblems(await page.content())).toEqual([]);
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      for (const width of [320, 360, 768, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        const where = `${width} px, ${colorScheme}`;
        expect(await sidewaysScroll(page), where).toBe(0);
        expect(await smallTargets(page, width < 768 ? 44 : 36), where).toEqual([]);
        if (width === 360 || width === 1280) expect(await violations(page), where).toEqual([]);
      }
    }
    expect(errors).toEqual([]);
  },
);
