/** Characters of a headline. */
export const MAX_HEADLINE = 80;

/** A headline as typed, in one line. Control characters and the invisible ones that change the direction of text are left out. */
export function readHeadline(typed: string): string {
  return typed
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")
    .trim();
}

/** Font sizes in hundredths of a piece's width, largest first. The classes `headline-1` to `headline-7` have them. */
const sizes = [13, 11, 9, 7.5, 6, 5, 4];

/** The size of a headline, from 1 for the largest: the largest in which it has three lines, or fits the box at least. */
export function headlineSize(headline: string): number {
  const found = sizes.findIndex((size) => linesOf(headline, size) * size <= (size > 6 ? 3 * size : BOX_HEIGHT));
  return found === -1 ? sizes.length : found + 1;
}

/** The box of a headline on a flyer, in hundredths of its width. `print.css` has the same. */
const BOX_WIDTH = 84;
/** For its lines, which stand 1.06 sizes apart. */
const BOX_HEIGHT = 30 / 1.06;

/** How many lines words take up, broken as browsers do. */
function linesOf(text: string, size: number): number {
  const room = BOX_WIDTH / size;
  let lines = 1;
  let used = 0;
  for (const word of text.split(/\s+/)) {
    const width = widthOf(word);
    if (used > 0 && used + SPACE + width <= room) used += SPACE + width;
    else {
      if (used > 0) lines += 1;
      // A word that is longer than a line is broken anywhere, which leaves less than a character at the end.
      if (width > room) lines += Math.ceil(width / (room - 1)) - 1;
      used = width % room;
    }
    // A long word is no reason for small type unless it would be broken.
    if (width > room && size > 6) return Number.POSITIVE_INFINITY;
  }
  return lines;
}

const SPACE = 0.28;

/** About how wide a word is, in font sizes, rather too much than too little. */
function widthOf(word: string): number {
  return Array.from(word).reduce((width, character) => {
    if (/[iljt.,:;!'’|]/.test(character)) return width + 0.34;
    if (/[\p{Ll}\p{N}\p{P}]/u.test(character)) return width + (/[mw—…]/.test(character) ? 0.88 : 0.56);
    return width + (/[MW]/.test(character) ? 1.2 : /\p{Lu}/u.test(character) ? 0.86 : 1.4);
  }, 0);
}
