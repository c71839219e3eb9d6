// Makes app/ui/fonts/fraunces.woff2, the one web font, out of the Fraunces package: npm run fonts
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import subsetFont from "subset-font";
import { root } from "#scripts/lib/commands.ts";

/** Bytes. The font is preloaded, so it competes with the page itself. */
const MAX_SIZE = 25_000;

/** Basic Latin, and what British English sets around it. */
const characters = `${basicLatin()}‘’“”–—…·•£é `;

/** Soft and a little wonky, cut for headings: the drawing's own hand. One weight carries every heading. */
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
if (font.length > MAX_SIZE) throw new Error(`The font has ${font.length} bytes; ${MAX_SIZE} are allowed.`);
await writeFile(join(root, "app", "ui", "fonts", "fraunces.woff2"), font);
console.log(`app/ui/fonts/fraunces.woff2: ${font.length} bytes`);

function basicLatin(): string {
  return Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index)).join("");
}
