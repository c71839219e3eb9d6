import { site as product } from "#app/site.ts";
import { declineCookies } from "#scripts/lib/decline-cookies.ts";
import { hydrate } from "#scripts/lib/hydrated.ts";
import { schemes } from "#scripts/lib/site-paths.ts";
import { textContrasts } from "#tests/support/browser/contrast.ts";
import { coveredWords, drawingFaults } from "#tests/support/browser/drawing.ts";
import { clippedTexts, sidewaysScroll } from "#tests/support/browser/measure.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

needs("drawing", "largeLogo");

const words = ".large-logo-sign, .large-logo-tagline, .hero-words :is(h1, .lead, .sign-up-label, .sign-up-promise, a)";

/** The header with its fringe (CSS pixels). */
const HEADER = 72;

/** The chunks of what only the server draws. */
const DRAWINGS = /\/(market-scene|shared-parts)-/;

test.use({ reducedMotion: "reduce" });

for (const colorScheme of schemes) {
  test(
    `the drawings are whole and the words stand clear of them, ${colorScheme}`,
    slow,
    async ({ page, context, site }) => {
      // Twelve widths, each measured word by word.
      test.setTimeout(120_000);
      await declineCookies(context, site.url);
      await page.emulateMedia({ colorScheme });
      await page.goto(site.url);
      await page.evaluate(() => document.fonts.ready);
      for (const width of [320, 360, 575, 576, 768, 992, 1199, 1200, 1500, 1920, 2560, 3840]) {
        await page.setViewportSize({ width, height: 1000 });
        expect(await drawingFaults(page), `${width} px`).toEqual([]);
        expect(await coveredWords(page), `${width} px`).toEqual([]);
        const contrasts = await textContrasts(page, words);
        expect(contrasts.length, `${width} px`).toBeGreaterThan(6);
        expect(
          contrasts.filter(({ contrast }) => contrast < 4.5),
          `${width} px`,
        ).toEqual([]);
      }
    },
  );
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

test("the headline grows with the screen, and nothing stands under the header or beside the page", async ({
  page,
  context,
  site,
}) => {
  await declineCookies(context, site.url);
  await page.goto(site.url);
  await page.evaluate(() => document.fonts.ready);
  const sizes: number[] = [];
  for (const width of [320, 360, 390, 576, 768, 992, 1280, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    const where = `${width} px`;
    expect(await sidewaysScroll(page), where).toBe(0);
    // The header's menu and, on the narrowest screens, its name are for screen readers only.
    expect(
      (await clippedTexts(page)).filter((text) => !text.includes('class="bar-')),
      where,
    ).toEqual([]);
    const tops = await page
      .locator(".large-logo-sign, .hero-words > *")
      .evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().top));
    expect(Math.min(...tops), where).toBeGreaterThanOrEqual(HEADER);
    const size = await page.getByRole("heading", { level: 1 }).evaluate((h1) => getComputedStyle(h1).fontSize);
    sizes.push(Number.parseFloat(size));
  }
  expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
  expect(sizes[0]).toBeGreaterThanOrEqual(32);
  expect(sizes.at(-1)).toBe(88);
});

test("the headline is larger than the name above it, which is larger than the text below", async ({ page, site }) => {
  await page.goto(site.url);
  for (const width of [360, 1280, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    const [headline = 0, name = 0, lead = 0] = await Promise.all(
      [".hero-words h1", ".large-logo-sign", ".hero-words .lead"].map((selector) =>
        page.locator(selector).evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize)),
      ),
    );
    expect(headline / name, `${width} px`).toBeGreaterThan(1.3);
    expect(name / lead, `${width} px`).toBeGreaterThan(1.3);
  }
});

test("the form's label and promise stand centred with its field and button", async ({ page, site }) => {
  await page.goto(site.url);
  const middles = await page.locator("#join :is(.sign-up-label, .sign-up-row, .sign-up-promise)").evaluateAll((parts) =>
    parts.map((part) => {
      const range = document.createRange();
      range.selectNodeContents(part);
      const { left, right } = range.getBoundingClientRect();
      return Math.round((left + right) / 2);
    }),
  );
  expect(middles).toHaveLength(3);
  expect(Math.max(...middles) - Math.min(...middles)).toBeLessThanOrEqual(2);
});

test("the path runs on from the picture into the ground below it", async ({ page, site }) => {
  needs("benefits");
  await page.goto(site.url);
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const [inPicture = 0, below = 0] = await page.evaluate(() => {
      const trail = document.querySelector<SVGPathElement>(".market .trail");
      const ground = document.querySelector<HTMLElement>(".hero-ground");
      if (trail === null || ground === null) return [];
      const verge = getComputedStyle(ground).backgroundSize.split(",")[0]?.split(" ")[0] ?? "";
      return [trail.getBoundingClientRect().left, (ground.clientWidth * Number.parseFloat(verge)) / 100];
    });
    expect(Math.abs(inPicture - below), `${width} px`).toBeLessThan(3);
  }
});

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
