import type { Options } from "mdast-util-from-markdown";
import { anyPlaceholder } from "#app/waitlist/questions/greetings.server.ts";

/* What people type without a thought of Markdown. */

type Extension = NonNullable<Options["extensions"]>[number];

const STAR = "*".charCodeAt(0);

/**
 * For `fromMarkdown`: stars between digits are signs of multiplication, as in `5*3*2`, and so is a single one between a digit
 * and a letter, as in `2*x*3`. CommonMark makes emphasis of them.
 */
export const literalStars: Extension = {
  text: {
    [STAR]: {
      name: "literalStars",
      tokenize(effects, ok, nok) {
        const before = toText(this.previous);
        let stars = 0;
        return function next(code) {
          if (code === STAR) {
            if (stars === 0) effects.enter("data");
            stars += 1;
            effects.consume(code);
            return next;
          }
          effects.exit("data");
          const after = toText(code);
          const digits = [before, after].filter((sign) => digit.test(sign)).length;
          const isProduct = digits === 1 && stars === 1 && word.test(before) && word.test(after);
          return digits === 2 || isProduct ? ok(code) : nok(code);
        };
      },
    },
  },
};

const digit = /\p{Nd}/u;
const word = /[\p{L}\p{N}]/u;

/** @param code of a character; others than those, such as the end of a line, are negative or null */
function toText(code: number | null): string {
  return code === null || code < 0 ? "" : String.fromCharCode(code);
}

/** Splits a text into bare `https://` addresses, without the punctuation that ends them, and what is between those. */
export function splitAddresses(text: string): { text: string; isAddress: boolean }[] {
  const parts: { text: string; isAddress: boolean }[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(addressOrPlaceholder)) {
    // The words of a greeting stay together, and an address that goes on with one is no link.
    if (found.startsWith("{") || text[index + found.length] === "{") continue;
    const address = withoutPunctuation(found);
    parts.push({ text: text.slice(end, index), isAddress: false }, { text: address, isAddress: true });
    end = index + address.length;
  }
  parts.push({ text: text.slice(end), isAddress: false });
  return parts;
}

const addressOrPlaceholder = new RegExp(
  `${anyPlaceholder.source}|(?<![\\p{L}\\p{N}])https://[^\\s<>"{}|\\\\^\`]+`,
  "giu",
);

/** A closing bracket belongs to the address only if it opens there. */
function withoutPunctuation(address: string): string {
  let length = address.length;
  let unopened = (address.match(/\)/g)?.length ?? 0) - (address.match(/\(/g)?.length ?? 0);
  for (; length > 0; length -= 1) {
    const last = address[length - 1] ?? "";
    if (last === ")" && unopened > 0) unopened -= 1;
    else if (!/[?!.,:;*_~'’”»…\]]/.test(last)) break;
  }
  return address.slice(0, length);
}
