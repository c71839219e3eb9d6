import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { drawing } from "#app/switches.ts";

/** What a visitor of the landing page sees first, in the order of the document, and where its markup ends. */
const parts = {
  "critical styles": /<\/style>/,
  header: /<\/header>/,
  headline: /<\/h1>/,
  "form with its button and messages": /<form id="join"[\s\S]*?<\/form>/,
  ...(drawing ? { picture: /<svg class="market"[\s\S]*?<\/svg>/ } : {}),
};

/**
 * How much of a document must arrive for its first view: what a browser can decompress from the beginning of the
 * response, at the quality of an edge that compresses on the fly.
 *
 * @param html the landing page
 * @returns compressed bytes until each part is complete, in the order of the document
 * @throws if the page lacks a part
 */
export function firstViewBytes(html: string): { part: string; bytes: number }[] {
  const compressed = compress(html);
  return Object.entries(parts).map(([part, markup]) => {
    const match = markup.exec(html);
    if (match === null) throw new Error(`The page has no ${part}`);
    return { part, bytes: bytesUntil(Buffer.byteLength(html.slice(0, match.index + match[0].length)), compressed) };
  });
}

/** The fewest first bytes of a stream that decompress to `length` bytes. */
function bytesUntil(length: number, compressed: Buffer): number {
  let [least, most] = [0, compressed.length];
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    if (decompressStart(compressed, middle).length >= length) most = middle;
    else least = middle + 1;
  }
  return least;
}

/** What the first bytes of a stream decompress to. */
function decompressStart(compressed: Buffer, bytes: number): Buffer {
  return brotliDecompressSync(compressed.subarray(0, bytes), { finishFlush: constants.BROTLI_OPERATION_FLUSH });
}

function compress(html: string): Buffer {
  return brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
}
