import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";

/** The number of pixels of each colour in a picture, by `#rrggbb`. */
export async function pixelColours(page: Page, file: string): Promise<Map<string, number>> {
  const type = file.endsWith(".webp") ? "webp" : "png";
  const counted = await page.evaluate(
    async (source) => {
      const picture = await createImageBitmap(await (await fetch(source)).blob());
      const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
      context?.drawImage(picture, 0, 0);
      const { data } = context?.getImageData(0, 0, picture.width, picture.height) ?? { data: new Uint8ClampedArray() };
      const counts: Record<string, number> = {};
      for (let at = 0; at < data.length; at += 4) {
        const colour = `#${[0, 1, 2].map((part) => (data[at + part] ?? 0).toString(16).padStart(2, "0")).join("")}`;
        counts[colour] = (counts[colour] ?? 0) + 1;
      }
      return counts;
    },
    `data:image/${type};base64,${readFileSync(file).toString("base64")}`,
  );
  return new Map(Object.entries(counted));
}
