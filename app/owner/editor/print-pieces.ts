/** A part of a paragraph's text. Line breaks are in its text. */
export interface Piece {
  text: string;
  bold?: boolean;
  italic?: boolean;
  href?: string | null;
  /** The address of a picture, which the text describes. */
  image?: string;
}

/** The Markdown of a paragraph; of two or more where empty lines divide it. */
export function printPieces(pieces: Piece[], isRule = false): string[] {
  if (isRule) return ["---"];
  const merged = merge(pieces);
  let line = "";
  for (const [index, piece] of merged.entries()) {
    // Before a link it would make a picture of it.
    if ((piece.href || piece.image !== undefined) && line.endsWith("!")) line = `${line.slice(0, -1)}\\!`;
    if (piece.image !== undefined) line += `![${escapeText(piece.text)}](${piece.image})`;
    else line += printPiece(piece, line, merged[index + 1]?.text ?? "");
  }
  return line
    .replace(/ {2,}/g, " ")
    .split(/\s*\n[ \n]*\n\s*/)
    .map((paragraph) =>
      paragraph
        .trim()
        .split(/ *\n */)
        .map(escapeStart)
        .join("\n"),
    )
    .filter((paragraph) => paragraph !== "");
}

/** Joins pieces of the same kind, without spaces at line breaks. */
function merge(pieces: Piece[]): Piece[] {
  const merged: Piece[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    // Marks of spaces are not seen.
    const isSpace = piece.text.trim() === "" && piece.image === undefined && !piece.href;
    const isSame =
      last !== undefined &&
      last.image === undefined &&
      piece.image === undefined &&
      (isSpace || (last.bold === piece.bold && last.italic === piece.italic && last.href === piece.href));
    if (isSame) merged[merged.length - 1] = { ...last, text: last.text + piece.text };
    else merged.push({ ...piece });
  }
  return merged;
}

function printPiece({ text, bold, italic, href }: Piece, before: string, after: string): string {
  const { lead, core, tail } = divide(text, bold || italic ? before : " ", bold || italic ? after : " ");
  if (core === "") return escapeText(text);
  const marks = (bold ? "**" : "") + (italic ? "*" : "");
  // Marks that touch those before would be read as one.
  const isGlued = lead === "" && before.endsWith("*") && !before.endsWith("\\*");
  // A mark does not reach over an empty line.
  const mark = isGlued || /\n\s*\n/.test(core) ? "" : marks;
  const marked = mark + escapeText(core) + [...mark].reverse().join("");
  if (!href) return escapeText(lead) + marked + escapeText(tail);
  const link = `[${marked.replace(/\s*\n\s*/g, " ")}](${href})`;
  return escapeText(lead) + link + escapeText(tail);
}

/** Marks begin and end at words: spaces are outside, and punctuation that touches a word outside as well. */
function divide(text: string, before: string, after: string): { lead: string; core: string; tail: string } {
  const opening = /[\p{L}\p{N}]$/u.test(before) ? /^[\s\p{P}\p{S}]*/u : /^\s*/;
  const closing = /^[\p{L}\p{N}]/u.test(after) ? /[\s\p{P}\p{S}]*$/u : /\s*$/;
  const [lead = ""] = opening.exec(text) ?? [];
  const rest = text.slice(lead.length);
  const [tail = ""] = closing.exec(rest) ?? [];
  return { lead, core: rest.slice(0, rest.length - tail.length), tail };
}

/** A text whose signs mean nothing. */
export function escapeText(text: string): string {
  return text
    .replace(/[\\`*[\]]|<(?=[a-z/!?])|&(?=#|[a-z])/gi, "\\$&")
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_");
}

/** A line that begins neither a heading, a list nor a quote, and that is no rule, table or underline. */
function escapeStart(line: string): string {
  return line
    .replace(/^(?=#{1,6}(\s|$)|>|[-+](\s|$)|[-=]+$|~~~|[-:|][-:| ]*-)/, "\\")
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2");
}
