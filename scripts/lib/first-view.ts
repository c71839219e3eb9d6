import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { drawing } from "#app/switches.ts";

/** The ends of what a visitor of the landing page sees first: its styles, header, headline, form and picture. */
const parts = [/<\/style>/, /<\/header>/, /<\/h1>/, /<form id="join"[\s\S]*?<\/form>/];
if (drawing) parts.push(/<svg class="market"[\s\S]*?<\/svg>/);

/** Compresses at the quality of an edge that compresses responses on the fly. */
export function brotli(content: string | Buffer): Buffer {
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
}

/**
 * How much of a document must arrive for its first view.
 *
 * @param html the landing page
 * @returns the fewest first bytes of the compressed document that a browser can decompress to all parts, within 16 bytes
 * @throws if the page lacks a part
 */
export function firstViewBytes(html: string): number {
  const ends = parts.map((part) => {
    const match = part.exec(html);
    if (match === null) throw new Error(`The page has no ${part.source}`);
    return match.index + match[0].length;
  });
  const length = Buffer.byteLength(html.slice(0, Math.max(...ends)));
  const compressed = brotli(html);
  const arrived = (bytes: number) =>
    brotliDecompressSync(compressed.subarray(0, bytes), { finishFlush: constants.BROTLI_OPERATION_FLUSH }).length;
  let bytes = 0;
  while (arrived(bytes) < length) bytes += 16;
  return bytes;
}
