import type { Page } from "@playwright/test";
import jsQR from "jsqr";

/**
 * What a QR reader finds in a picture of a page.
 *
 * @param decoder a page without a content policy
 */
export async function scan(decoder: Page, picture: Buffer): Promise<string | undefined> {
  const { grey, width, height } = await decoder.evaluate(async (source) => {
    const bitmap = await createImageBitmap(await (await fetch(source)).blob());
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context?.drawImage(bitmap, 0, 0);
    const data = context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? new Uint8ClampedArray();
    // A character for each pixel: passing on millions of numbers takes seconds.
    const greys = Array.from({ length: data.length / 4 }, (_, nth) => String.fromCharCode(data[4 * nth + 1] ?? 0));
    return { grey: greys.join(""), width: bitmap.width, height: bitmap.height };
  }, dataUrl(picture));
  const data = Uint8ClampedArray.from(
    Array.from(grey).flatMap((pixel) => [...Array(3).fill(pixel.charCodeAt(0)), 255]),
  );
  return jsQR(data, width, height)?.data;
}

function dataUrl(picture: Buffer): string {
  return `data:image/png;base64,${picture.toString("base64")}`;
}
