import type { Page } from "@playwright/test";
import { formats } from "#app/owner/links/print/formats.ts";
import { MAX_HEADLINE } from "#app/owner/links/print/headline.ts";
import { site as words } from "#app/site.ts";
import { schemes } from "#scripts/lib/site-paths.ts";
import { htmlProblems } from "#tests/support/browser/html.ts";
import { sidewaysScroll, smallTargets, violations } from "#tests/support/browser/measure.ts";
import { expect, test } from "#tests/support/browser/owner-test.ts";
import { scan } from "#tests/support/browser/scan.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";
import { inkOf } from "./ink-of-links.ts";

/* Posters, flyers and table cards, as Chromium prints them. */

const styles = ["light", "ink"] as const;

/** What each format is on paper: width and height of a page, and of a piece, in millimetres, and pieces on a page. */
const papers = {
  "poster-a3": { page: [297, 420], piece: [297, 420], pieces: 1 },
  "poster-a4": { page: [210, 297], piece: [210, 297], pieces: 1 },
  "flyer-a5": { page: [297, 210], piece: [148.5, 210], pieces: 2 },
  "flyer-a6": { page: [210, 297], piece: [105, 148.5], pieces: 4 },
  "table-card": { page: [210, 297], piece: [210, 148.5], pieces: 2 },
} as const;

type FormatName = keyof typeof papers;
const names = Object.keys(papers) as FormatName[];

const MM = 96 / 25.4;
const labels = { page: "/", utm_source: "fair", utm_medium: "print", utm_campaign: "Frome Market" };

function address(site: string, format: FormatName, style: string, headline = "", link: object = labels): string {
  return `${site}/owner/links/print?${new URLSearchParams({ ...link, format, style, headline })}`;
}

/** The sizes of a PDF's pages in millimetres. A point is 1/72 inch. */
function pagesOf(pdf: Buffer): number[][] {
  return Array.from(pdf.toString("latin1").matchAll(/\/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]/g), ([, ...sides]) =>
    sides.map((side) => (Number(side) * 25.4) / 72),
  );
}

const print = async (page: Page) => pagesOf(await page.pdf({ preferCSSPageSize: true }));

/** Shows the page as it is printed, pixel for pixel. */
async function showPrinted(page: Page, format: FormatName) {
  const [width, height] = papers[format].page;
  await page.setViewportSize({ width: Math.ceil(width * MM), height: Math.ceil(height * MM) });
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => document.fonts.ready);
}

/** Whether something has a size on paper. Chromium rounds pages to CSS pixels, of which 96 are an inch. */
function expectSize(found: number[] | undefined, [width, height]: readonly [number, number], what: string) {
  expect(Math.abs((found?.[0] ?? 0) - width), what).toBeLessThan(1 / MM);
  expect(Math.abs((found?.[1] ?? 0) - height), what).toBeLessThan(1 / MM);
}

test("every format of the page is measured here", () => {
  expect(Object.keys(formats)).toEqual(names);
});

test.describe("on paper", () => {
  test.use({ deviceScaleFactor: 2 });

  for (const format of names) {
    const title = `${format} is one page of its exact size, and each of its codes can be scanned`;
    test(title, slowUnless(format === "flyer-a6"), async ({ owner: page, site, browser }) => {
      test.setTimeout(60_000);
      const decoder = await browser.newPage();
      const { page: paper, piece, pieces } = papers[format];
      for (const style of styles) {
        await page.goto(address(site.url, format, style));
        const sizes = await print(page);
        expect(sizes, style).toHaveLength(1);
        expectSize(sizes[0], paper, style);

        await showPrinted(page, format);
        const shown = page.locator(".piece");
        expect(await shown.count()).toBe(pieces);
        for (let nth = 0; nth < pieces; nth += 1) {
          const box = await shown.nth(nth).boundingBox();
          expectSize([(box?.width ?? 0) / MM, (box?.height ?? 0) / MM], piece, `${style}, piece ${nth}`);
          const found = await scan(decoder, await page.locator(".qr-code").nth(nth).screenshot());
          expect(found, `${style}, piece ${nth}`).toBe(
            `${site.url}/?utm_source=fair&utm_medium=print&utm_campaign=Frome+Market`,
          );
        }
        await page.emulateMedia({ media: null });
      }
      await decoder.close();
    });
  }

  test("a code is vectors, with its quiet zone, and at least 30 mm wide on a flyer, also for the longest link", async ({
    owner: page,
    site,
    browser,
  }) => {
    const decoder = await browser.newPage();
    const longest = { ...labels, utm_source: "é".repeat(18), utm_campaign: "f".repeat(64), utm_medium: "m".repeat(60) };
    for (const link of [labels, longest]) {
      await page.goto(address(site.url, "flyer-a6", "light", "", link));
      await showPrinted(page, "flyer-a6");
      const { code, box, units } = await page
        .locator(".qr-code")
        .first()
        .evaluate((svg) => {
          const [rect, path] = [svg.querySelector("rect"), svg.querySelector("path")];
          const units = (svg as SVGSVGElement).viewBox.baseVal.width;
          return {
            code: path?.getBoundingClientRect().width ?? 0,
            box: rect?.getBoundingClientRect().width ?? 0,
            units,
          };
        });
      expect(code / MM).toBeGreaterThanOrEqual(30);
      // Four modules on each side.
      expect(box - code).toBeCloseTo((8 * box) / units, 0);
      expect(await scan(decoder, await page.locator(".qr-code").first().screenshot())).toContain(
        new URLSearchParams({ utm_campaign: link.utm_campaign }).toString(),
      );
    }
    await decoder.close();
  });

  test(
    "the ink-saving style has no colour and little ink; the other has both",
    slow,
    async ({ owner: page, site, browser }) => {
      const decoder = await browser.newPage();
      for (const format of ["poster-a4", "table-card"] as const) {
        const ink: Record<string, { coloured: number; dark: number }> = {};
        for (const style of styles) {
          await page.goto(address(site.url, format, style));
          await showPrinted(page, format);
          ink[style] = await inkOf(decoder, await page.locator(".sheet").screenshot());
        }
        expect(ink["ink"]?.coloured, format).toBe(0);
        expect(ink["ink"]?.dark, format).toBeLessThan(0.15);
        expect(ink["light"]?.coloured, format).toBeGreaterThan(0.2);
      }
      await decoder.close();
    },
  );
});

/** As long as a headline may be. */
const longest = (text: string) => text.repeat(MAX_HEADLINE).slice(0, MAX_HEADLINE);

const headlines = {
  short: "Join us",
  "of common words": longest("Find your next craft fair or the makers for yours, near you and in good time "),
  "of one wide word": longest("W"),
  "of wide words": longest("WMWM "),
  "of one long word": longest("craftmarket"),
  "of wide signs": longest("漢"),
  "of emoji": longest("🧶"),
  "of markup": `</p><script>alert(1)</script><img src=x onerror=alert(1)>"'&amp;`,
  "from right to left": longest("سوق الحرف اليدوية "),
};

for (const format of names) {
  test(`${format} holds any headline, and shows it as it was typed`, slow, async ({ owner: page, site }) => {
    test.setTimeout(90_000);
    for (const [what, headline] of Object.entries(headlines)) {
      const dialogs: string[] = [];
      page.once("dialog", (dialog) => dialogs.push(dialog.message()));
      await page.goto(address(site.url, format, "light", headline));
      expect(await print(page), what).toHaveLength(1);
      await showPrinted(page, format);
      const piece = page.locator(".piece").last();
      expect((await piece.locator(".piece-headline").textContent())?.trim(), what).toBe(headline.trim());
      expect(await piece.evaluate(outside), what).toEqual([]);
      expect(dialogs).toEqual([]);
      await page.emulateMedia({ media: null });
    }
  });
}

/** The texts of a piece that leave its box, are clipped or lie on its code or its picture's stalls. */
function outside(piece: Element): string[] {
  const texts = Array.from(
    piece.querySelectorAll(".piece-top span, .piece-headline, .piece-invitation, .piece-address"),
  );
  const boxOf = (element: Element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect();
  };
  const bounds = piece.getBoundingClientRect();
  const code = piece.querySelector(".qr-code")?.getBoundingClientRect() ?? bounds;
  const isApart = (a: DOMRect, b: DOMRect) =>
    a.bottom <= b.top + 1 || a.top >= b.bottom - 1 || a.right <= b.left || a.left >= b.right;
  return texts.flatMap((text) => {
    const box = boxOf(text);
    const isInside = box.left >= bounds.left && box.right <= bounds.right && box.top >= bounds.top;
    const isWhole = text.scrollHeight <= text.clientHeight + 1 && text.scrollWidth <= text.clientWidth + 1;
    const problem = [
      isInside ? "" : "leaves",
      isWhole || !text.matches(".piece-headline") ? "" : "clipped",
      isApart(box, code) ? "" : "covers the code",
    ];
    return problem.filter(Boolean).map((what) => `${text.className} ${what}`);
  });
}

test("a headline of signs that are wider than any box, or pile up, leaves the page as it is", async ({
  owner: page,
  site,
}) => {
  for (const headline of [
    longest("﷽"),
    `Z${longest("\u0335\u0351")}`.slice(0, MAX_HEADLINE),
    "\u202Efair\u2066\n\u0007now",
  ]) {
    await page.goto(address(site.url, "flyer-a6", "light", headline));
    expect(await print(page)).toHaveLength(1);
  }
  await expect(page.locator(".piece-headline").first()).toHaveText(/^fair\s+now$/);
});

test(
  "the preview is the printed page in another size, light in both schemes, and fits every window",
  slow,
  async ({ owner: page, site }) => {
    test.setTimeout(120_000);
    for (const format of names) {
      await page.goto(address(site.url, format, "light"));
      const ratio = papers[format].page[0] / papers[format].page[1];
      for (const colorScheme of schemes) {
        for (const width of colorScheme === "light" ? [320, 390, 1280, 1920] : [390, 1280]) {
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          await page.setViewportSize({ width, height: 800 });
          const where = `${format}, ${width} px, ${colorScheme}`;
          const box = await page.locator(".sheet").boundingBox();
          expect((box?.width ?? 0) / (box?.height ?? 1), where).toBeCloseTo(ratio, 1);
          expect(await sidewaysScroll(page), where).toBe(0);
          expect(await smallTargets(page, width < 768 ? 44 : 36), where).toEqual([]);
          if (width !== 320) expect(await violations(page), where).toEqual([]);
          const ground = await page
            .locator(".piece")
            .first()
            .evaluate((piece) => getComputedStyle(piece).backgroundColor);
          expect(ground, where).toBe(await lightPaper(page));
        }
      }
    }
    expect(await htmlProblems(await (await page.request.get(page.url())).text())).toEqual([]);
  },
);

/** The colour of paper in the light scheme. */
async function lightPaper(page: Page): Promise<string> {
  const { colour } = await import("#app/ui/theme.ts");
  return page.evaluate((paper) => {
    const probe = document.createElement("i");
    document.body.append(probe);
    probe.style.setProperty("color", paper);
    const value = getComputedStyle(probe).color;
    probe.remove();
    return value;
  }, colour("paper"));
}

test("without JavaScript a headline, a size and a style are chosen, and only the sheet is printed", async ({
  ownerSite,
  browser,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  await context.addCookies(ownerSite.cookies);
  const page = await context.newPage();
  await page.goto(`${ownerSite.url}/owner/links?${new URLSearchParams(labels)}`);
  await page.getByRole("link", { name: "Print a poster or flyers" }).click();
  await expect(page.locator(".piece-headline")).toHaveText(words.tagline);
  await expect(page.locator(".piece-address")).toHaveText(new URL(ownerSite.url).host);
  await page.getByLabel("Headline").fill("Meet us at <b>Frome</b>");
  await page.getByLabel("Size").selectOption("flyer-a6");
  await page.getByLabel("Ink-saving").check();
  await page.getByRole("button", { name: "Update the preview" }).click();
  await expect(page.locator(".piece-headline")).toHaveText(Array(4).fill("Meet us at <b>Frome</b>"));
  expect(new URL(page.url()).searchParams.get("utm_campaign")).toBe(labels.utm_campaign);
  await page.emulateMedia({ media: "print" });
  for (const hidden of ["navigation", "heading", "button"] as const) {
    await expect(page.getByRole(hidden)).toHaveCount(0);
  }
  await context.close();
});
