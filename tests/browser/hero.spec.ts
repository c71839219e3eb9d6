import { site as product } from "#app/site.ts";
import { declineCookies } from "#scripts/lib/decline-cookies.ts";
import { hydrate } from "#scripts/lib/hydrated.ts";
import { schemes } from "#scripts/lib/site-paths.ts";
import { textContrasts } from "#tests/support/browser/contrast.ts";
import { coveredWords, drawingFaults } from "#tests/support/browser/drawing.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { HEADER_WITH_FRINGE } from "#tests/support/browser/ticket.ts";

needs("drawing", "largeLogo");

const words = ".large-logo-sign, .large-logo-tagline, .hero-words :is(h1, .lead, .sign-up-label, .sign-up-promise, a)";

/** The chunks of what only the server draws. */
const DRAWINGS = /\/(market-scene|shared-parts)-/;

test.use({ reducedMotion: "reduce" });

for (const colorScheme of schemes) {
  test(
    `the drawings are whole and the words stand clear of them, ${colorScheme}`,
    slow,
    async ({ page, context, site }) => {
      await declineCookies(context, site.url);
      await page.emulateMedia({ colorScheme });
      await page.goto(site.url);
      await page.evaluate(() => document.fonts.ready);
      for (const width of colorScheme === "light" ? [320, 575, 768, 1200, 2560] : [320, 1200]) {
        await page.setViewportSize({ width, height: 1000 });
        const where = `${width} px`;
        expect(await drawingFaults(page), where).toEqual([]);
        expect(await coveredWords(page), where).toEqual([]);
        const tops = await page
          .locator(".large-logo-sign, .hero-words > *")
          .evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().top));
        expect(Math.min(...tops), where).toBeGreaterThanOrEqual(HEADER_WITH_FRINGE);
        const contrasts = await textContrasts(page, words);
        expect(contrasts.length, where).toBeGreaterThan(6);
        expect(
          contrasts.filter(({ contrast }) => contrast < 4.5),
          where,
        ).toEqual([]);
      }
    },
  );
}

test("browsers keep the picture of the server, and download it for a visit from another page", async ({
  page,
  site,
}) => {
  needs("roadmap");
  const downloads: string[] = [];
  page.on("request", (request) => downloads.push(new URL(request.url()).pathname));
  const picture = () => page.locator(".market").evaluate((market) => market.innerHTML);
  await page.goto(site.url);
  const served = await picture();
  await hydrate(page);
  expect(await picture()).toBe(served);
  expect(downloads.filter((path) => DRAWINGS.test(path))).toEqual([]);

  await page.getByRole("contentinfo").getByRole("link", { name: "Roadmap" }).click();
  await expect(page).toHaveURL(`${site.url}/roadmap`);
  await page.getByRole("banner").getByRole("link", { name: product.name }).click();
  await expect.poll(picture).toBe(served);
  expect(downloads.filter((path) => DRAWINGS.test(path))).toHaveLength(2);
});
