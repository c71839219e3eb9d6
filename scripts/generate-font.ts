// Generates the only web font, app/ui/fonts/fraunces.woff2, from the Fraunces package.
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import subsetFont from "subset-font";
import { root } from "#scripts/lib/commands.ts";

/** Bytes. The font is preloaded, so it competes with the page for bandwidth. */
const MAX_SIZE = 25_000;

/** Basic Latin, plus the typographic characters of British English. */
const basicLatin = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index)).join("");
const characters = `${basicLatin}‘’“”–—…·•£é `;

/** Soft and slightly wonky, to match the illustrations, at a heading's optical size. All headings have one weight. */
const variationAxes = { opsz: 72, SOFT: 100, WONK: 1, wght: 620 };

const source = createRequire(import.meta.url).resolve(
  "@fontsource-variable/fraunces/files/fraunces-latin-full-normal.woff2",
);
const font = await subsetFont(await readFile(source), characters, {
  targetFormat: "woff2",
  variationAxes,
  keepFeatures: ["kern", "liga"],
  noHinting: true,
});
if (font.length > MAX_SIZE) throw new Error(`The font is ${font.length} bytes; the limit is ${MAX_SIZE}.`);
await writeFile(join(root, "app", "ui", "fonts", "fraunces.woff2"), font);
console.log(`app/ui/fonts/fraunces.woff2: ${font.length} bytes`);
