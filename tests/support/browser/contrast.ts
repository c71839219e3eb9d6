import type { Page } from "@playwright/test";

interface TextBox {
  text: string;
  colour: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * The lowest contrast of each text with any pixel of what is painted behind it (WCAG 2.2, relative luminance). Hides the
 * texts for good.
 *
 * @param selector elements without a background of their own
 */
export async function textContrasts(page: Page, selector: string): Promise<{ text: string; contrast: number }[]> {
  const boxes = await page.locator(selector).evaluateAll((elements) =>
    elements.flatMap((element): TextBox[] => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return Array.from(range.getClientRects(), ({ x, y, width, height }) => ({
        text: element.textContent ?? "",
        colour: getComputedStyle(element).color,
        x: x + scrollX,
        y: y + scrollY,
        width,
        height,
      }));
    }),
  );
  await page.locator(selector).evaluateAll((elements) => {
    for (const element of elements) (element as HTMLElement).style.visibility = "hidden";
  });
  const picture = (await page.screenshot({ fullPage: true })).toString("base64");
  // A page without a content security policy, which can read the pixels.
  const reader = await page.context().newPage();
  const contrasts = await reader.evaluate(lowestContrasts, { boxes, picture });
  await reader.close();
  return contrasts;
}

/** Runs in the browser. */
async function lowestContrasts({ boxes, picture }: { boxes: TextBox[]; picture: string }) {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d", { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
  context.drawImage(image, 0, 0);
  return boxes
    .filter(({ width, height }) => width > 1 && height > 1)
    .map(({ text, colour, x, y, width, height }) => {
      const ink = luminance((colour.match(/[\d.]+/g) ?? []).map(Number));
      const { data } = context.getImageData(Math.floor(x), Math.floor(y), Math.ceil(width), Math.ceil(height));
      let contrast = 21;
      for (let at = 0; at < data.length; at += 4) {
        const paper = luminance([data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0]);
        contrast = Math.min(contrast, (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05));
      }
      return { text, contrast };
    });

  function luminance(channels: number[]): number {
    const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
      const share = channel / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }
}
