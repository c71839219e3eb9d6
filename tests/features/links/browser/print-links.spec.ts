import type { Page } from "@playwright/test";
import { expect, test } from "#tests/support/browser/owner-test.ts";
import { scan } from "#tests/support/browser/scan.ts";
import { slow } from "#tests/support/browser/slow.ts";

/* Posters, flyers and table cards, as Chromium prints them. */

/** What each format is on paper: width and height of a page, and of a piece, in millimetres, and pieces on a page. */
const papers = {
  "poster-a3": { page: [297, 420], piece: [297, 420], pieces: 1 },
  "poster-a4": { page: [210, 297], piece: [210, 297], pieces: 1 },
  "flyer-a5": { page: [297, 210], piece: [148.5, 210], pieces: 2 },
  "flyer-a6": { page: [210, 297], piece: [105, 148.5], pieces: 4 },
  "table-card": { page: [210, 297], piece: [210, 148.5], pieces: 2 },
} as const;

type FormatName = keyof typeof papers;

const MM = 96 / 25.4;
const MAX_HEADLINE = 80;
const labels = { page: "/", utm_source: "fair", utm_medium: "print", utm_campaign: "Frome Market" };

function address(site: string, format: FormatName, more: Record<string, string> = {}): string {
  return `${site}/owner/links/print?${new URLSearchParams({ ...labels, format, ...more })}`;
}

/** The sizes of the printed page's pages in millimetres. A point is 1/72 inch. */
async function print(page: Page): Promise<number[][]> {
  const pdf = await page.pdf({ preferCSSPageSize: true });
  return Array.from(pdf.toString("latin1").matchAll(/\/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]/g), ([, ...sides]) =>
    sides.map((side) => (Number(side) * 25.4) / 72),
  );
}

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

test("every format that the page offers is measured here", async ({ owner: page, site }) => {
  await page.goto(address(site.url, "poster-a4"));
  const offered = page.getByLabel("Size").locator("option");
  expect(await offered.evaluateAll((all) => all.map((each) => each.getAttribute("value")))).toEqual(
    Object.keys(papers),
  );
});

test.describe("on paper", slow, () => {
  test.use({ deviceScaleFactor: 2 });

  for (const [name, { page: paper, piece, pieces }] of Object.entries(papers)) {
    const format = name as FormatName;
    test(`${format} is one page of its exact size, light and without buttons, and its codes can be scanned`, async ({
      owner: page,
      site,
      browser,
    }) => {
      await page.goto(address(site.url, format));
      const ground = () =>
        page.locator(".piece").evaluateAll(([piece]) => piece && getComputedStyle(piece).backgroundColor);
      const light = await ground();
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await ground()).toBe(light);
      const preview = await page.locator(".sheet").boundingBox();
      expect((preview?.width ?? 0) / (preview?.height ?? 1)).toBeCloseTo(paper[0] / paper[1], 1);
      const sizes = await print(page);
      expect(sizes).toHaveLength(1);
      expectSize(sizes[0], paper, format);

      await showPrinted(page, format);
      for (const hidden of ["navigation", "heading", "button"] as const) {
        await expect(page.getByRole(hidden)).toHaveCount(0);
      }
      const shown = page.locator(".piece");
      expect(await shown.count()).toBe(pieces);
      const decoder = await browser.newPage();
      for (let nth = 0; nth < pieces; nth += 1) {
        const box = await shown.nth(nth).boundingBox();
        expectSize([(box?.width ?? 0) / MM, (box?.height ?? 0) / MM], piece, `piece ${nth}`);
        expect(await scan(decoder, await page.locator(".qr-code").nth(nth).screenshot()), `piece ${nth}`).toBe(
          `${site.url}/?utm_source=fair&utm_medium=print&utm_campaign=Frome+Market`,
        );
      }
      await decoder.close();
    });
  }

  test("a code has its quiet zone, and is at least 30 mm wide on a flyer, also for the longest link", async ({
    owner: page,
    site,
    browser,
  }) => {
    const decoder = await browser.newPage();
    const long = { utm_source: "é".repeat(18), utm_campaign: "f".repeat(64), utm_medium: "m".repeat(60) };
    await page.goto(address(site.url, "flyer-a6", long));
    await showPrinted(page, "flyer-a6");
    const svg = page.locator(".qr-code").first();
    const code = (await svg.locator("path").boundingBox())?.width ?? 0;
    const box = (await svg.locator("rect").boundingBox())?.width ?? 0;
    const modules = await svg.evaluate((element) => (element as SVGSVGElement).viewBox.baseVal.width);
    expect(code / MM).toBeGreaterThanOrEqual(30);
    // Four modules on each side.
    expect(box - code).toBeCloseTo((8 * box) / modules, 0);
    expect(await scan(decoder, await svg.screenshot())).toContain(`utm_campaign=${long.utm_campaign}`);
    await page.goto(`${site.url}/owner/links`);
    for (const [name, label] of Object.entries({ ...labels, utm_campaign: "Frühlingsmarkt" }))
      if (name !== "page") await page.locator(`#${name}`).fill(label);
    await page.getByRole("button", { name: "Make the link" }).click();
    await page.emulateMedia({ media: "screen" });
    expect(await scan(decoder, await page.locator(".qr-code").screenshot())).toContain(
      "utm_campaign=Fr%C3%BChlingsmarkt",
    );
    await decoder.close();
  });

  test("the ink-saving style has no colour and little ink; the other has both", async ({
    owner: page,
    site,
    browser,
  }) => {
    const decoder = await browser.newPage();
    const inkOf = async (style: string) => {
      await page.goto(address(site.url, "poster-a4", { style }));
      await showPrinted(page, "poster-a4");
      const picture = (await page.locator(".sheet").screenshot()).toString("base64");
      return decoder.evaluate(sharesOfInk, `data:image/png;base64,${picture}`);
    };
    const saving = await inkOf("ink");
    expect(saving.coloured).toBe(0);
    expect(saving.dark).toBeLessThan(0.15);
    expect((await inkOf("light")).coloured).toBeGreaterThan(0.2);
    await decoder.close();
  });
});

/** Runs in a page. The shares of a picture's pixels that have a colour, and that are dark. */
async function sharesOfInk(source: string): Promise<{ coloured: number; dark: number }> {
  const bitmap = await createImageBitmap(await (await fetch(source)).blob());
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  context?.drawImage(bitmap, 0, 0);
  const data = context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? new Uint8ClampedArray(4);
  let [coloured, dark] = [0, 0];
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]];
    if (Math.max(red, green, blue) - Math.min(red, green, blue) > 24) coloured += 1;
    if (red + green + blue < 384) dark += 1;
  }
  return { coloured: (4 * coloured) / data.length, dark: (4 * dark) / data.length };
}

const longest = (text: string) => text.repeat(MAX_HEADLINE).slice(0, MAX_HEADLINE);

const headlines = {
  "of one wide word": longest("W"),
  "of wide words": longest("WMWM "),
  "of wide signs": longest("漢"),
  "of emoji": longest("🧶"),
  "of markup": `</p><script>alert(1)</script><img src=x onerror=alert(1)>"'&amp;`,
  "from right to left": longest("سوق الحرف اليدوية "),
};

for (const format of ["flyer-a6", "flyer-a5", "table-card"] as const) {
  test(`${format} holds any headline, and shows it as it was typed`, slow, async ({ owner: page, site }) => {
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => dialogs.push(dialog.message()));
    for (const [what, headline] of Object.entries(headlines)) {
      await page.goto(address(site.url, format, { headline }));
      expect(await print(page), what).toHaveLength(1);
      await showPrinted(page, format);
      const piece = page.locator(".piece").last();
      expect((await piece.locator(".piece-headline").textContent())?.trim(), what).toBe(headline.trim());
      expect(await piece.evaluate(misplacedTexts), what).toEqual([]);
      await page.emulateMedia({ media: null });
    }
    expect(dialogs).toEqual([]);
    // Wider than any box, or piled up.
    for (const headline of [longest("﷽"), `Z${longest("\u0335\u0351")}`.slice(0, MAX_HEADLINE)]) {
      await page.goto(address(site.url, format, { headline }));
      expect(await print(page)).toHaveLength(1);
    }
  });
}

/** Runs in the page. The texts of a piece that leave its box, are clipped or lie on its code. */
function misplacedTexts(piece: Element): string[] {
  const bounds = piece.getBoundingClientRect();
  const code = piece.querySelector(".qr-code")?.getBoundingClientRect() ?? bounds;
  const texts = piece.querySelectorAll(".piece-top span, .piece-headline, .piece-invitation, .piece-address");
  return Array.from(texts).flatMap((text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    const isInside = box.left >= bounds.left && box.right <= bounds.right && box.top >= bounds.top;
    const isWhole = text.scrollHeight <= text.clientHeight + 1 && text.scrollWidth <= text.clientWidth + 1;
    const isApart =
      box.bottom <= code.top + 1 || box.top >= code.bottom - 1 || box.right <= code.left || box.left >= code.right;
    const problems = [
      isInside ? "" : "leaves",
      isWhole || !text.matches(".piece-headline") ? "" : "clipped",
      isApart ? "" : "covers the code",
    ];
    return problems.filter(Boolean).map((what) => `${text.className} ${what}`);
  });
}
