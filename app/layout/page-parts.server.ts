import { joinBytes } from "#app/server/join-bytes.ts";

/** A page rendered with placeholders for parts that are already rendered and encoded. */
export interface PageParts {
  /** A placeholder to render in place of a part. It contains the nonce, so user input cannot forge one. */
  placeholder(part: Uint8Array): string;
  /** Encodes the page and replaces its placeholders. */
  fill(html: string): Uint8Array<ArrayBuffer>;
}

export function pageParts(nonce: string): PageParts {
  const parts: Uint8Array[] = [];
  const start = `<!--${nonce} `;
  return {
    placeholder: (part) => `${start}${parts.push(part) - 1}${END}`,

    fill(html) {
      const slice = sliceEncoder(html);
      const pieces: Uint8Array[] = [];
      let from = 0;
      for (let at = html.indexOf(start); at !== -1; at = html.indexOf(start, from)) {
        const end = html.indexOf(END, at);
        const part = parts[Number(html.slice(at + start.length, end))];
        pieces.push(slice(from, at));
        if (part !== undefined) pieces.push(part);
        from = end + END.length;
      }
      return joinBytes([...pieces, slice(from, html.length)]);
    },
  };
}

const END = "-->";
const encoder = new TextEncoder();

/** Encodes slices of a text. An ASCII text, as most pages are, is encoded only once. */
function sliceEncoder(text: string): (from: number, to: number) => Uint8Array {
  const encoded = encoder.encode(text);
  if (encoded.length === text.length) return (from, to) => encoded.subarray(from, to);
  return (from, to) => encoder.encode(text.slice(from, to));
}
