import type { Page } from "@playwright/test";

/** The shares of a picture's pixels that have a colour, and that are dark. */
export function inkOf(decoder: Page, picture: Buffer): Promise<{ coloured: number; dark: number }> {
  return decoder.evaluate(
    async (source) => {
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
    },
    `data:image/png;base64,${picture.toString("base64")}`,
  );
}
