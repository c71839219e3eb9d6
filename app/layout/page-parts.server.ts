import { joinBytes } from "#app/server/join-bytes.ts";

/** A page that is rendered with marks where parts stand that are written, and encoded, already. */
export interface PageParts {
  /** What stands for a part while the page is rendered. Nobody can write one who cannot guess the page's nonce. */
  mark(part: Uint8Array): string;
  /** The page with its parts in their places, encoded. */
  fill(html: string): Uint8Array<ArrayBuffer>;
}

export function pageParts(nonce: string): PageParts {
  const parts: Uint8Array[] = [];
  const start = `<!--${nonce} `;
  return {
    mark: (part) => `${start}${parts.push(part) - 1}${END}`,

    fill(html) {
      const between = encodedSlices(html);
      const pieces: Uint8Array[] = [];
      let from = 0;
      for (let at = html.indexOf(start); at !== -1; at = html.indexOf(start, from)) {
        const end = html.indexOf(END, at);
        const part = parts[Number(html.slice(at + start.length, end))];
        pieces.push(between(from, at));
        if (part !== undefined) pieces.push(part);
        from = end + END.length;
      }
      return joinBytes([...pieces, between(from, html.length)]);
    },
  };
}

const END = "-->";
const encoder = new TextEncoder();

/** Slices of a text, encoded: of the whole encoded text where a character is a byte, which most pages are. */
function encodedSlices(text: string): (from: number, to: number) => Uint8Array {
  const encoded = encoder.encode(text);
  if (encoded.length === text.length) return (from, to) => encoded.subarray(from, to);
  return (from, to) => encoder.encode(text.slice(from, to));
}
