/* Changes a text area as typing does, so that Ctrl+Z takes it back. */

/** Replaces a part of the text and selects it, or a part of what is new. */
export function replace(
  area: HTMLTextAreaElement,
  range: [start: number, end: number],
  text: string,
  select?: string,
): void {
  const [start, end] = range;
  area.focus();
  area.setSelectionRange(start, end);
  // Deprecated, and the only way to a change that browsers can undo.
  const isTyped =
    start === end && text === "" ? true : document.execCommand(text === "" ? "delete" : "insertText", false, text);
  if (!isTyped) {
    area.setRangeText(text, start, end, "end");
    area.dispatchEvent(new Event("input", { bubbles: true }));
  }
  const offset = select === undefined ? -1 : text.indexOf(select);
  if (select !== undefined && offset >= 0) area.setSelectionRange(start + offset, start + offset + select.length);
}

export function selected({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): string {
  return value.slice(selectionStart, selectionEnd);
}

/** Puts signs around what is selected, line by line, or takes them away. */
export function toggleMark(area: HTMLTextAreaElement, mark: string, sample: string): void {
  const { value, selectionStart, selectionEnd } = area;
  // With the signs around it, as the last press left it.
  const isAround =
    isMark(value, selectionStart - mark.length, mark) &&
    isMark(value, selectionEnd, mark) &&
    selectionEnd > selectionStart;
  const start = isAround ? selectionStart - mark.length : selectionStart;
  const end = isAround ? selectionEnd + mark.length : selectionEnd;
  const text = value.slice(start, end);
  const inner = text.slice(mark.length, -mark.length);
  if (
    isAround ||
    (text.length > 2 * mark.length && isMark(text, 0, mark) && isMark(text, text.length - mark.length, mark))
  ) {
    replace(area, [start, end], inner, inner);
  } else if (text.trim() === "") {
    replace(area, [start, end], text + mark + sample + mark, sample);
  } else {
    const marked = text.replace(markable, `$1${mark}$2${mark}$3`);
    replace(area, [start, end], marked, text.includes("\n") ? marked : text.trim());
  }
}

/** The words of a line, without the signs of a list, heading or quote before them. */
const markable = /^(\s*(?:(?:[-*+]|\d+\.|#+|>) )?)(.*?\S)(\s*)$/gm;

/** Whether a text has the mark there, and not one of more stars. */
function isMark(text: string, at: number, mark: string): boolean {
  return at >= 0 && text.startsWith(mark, at) && text[at - 1] !== "*" && text[at + mark.length] !== "*";
}

/** The lines of the selection. */
function lines({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): {
  range: [number, number];
  text: string;
} {
  const start = value.lastIndexOf("\n", selectionStart - 1) + 1;
  const next = value.indexOf("\n", Math.max(start, selectionEnd - (selectionEnd > selectionStart ? 1 : 0)));
  const end = next === -1 ? value.length : next;
  return { range: [start, end], text: value.slice(start, end) };
}

/** Large, medium, small, none, in turn. @returns the level; 0 for none */
export function turnHeading(area: HTMLTextAreaElement): number {
  const { range, text } = lines(area);
  const [, signs = "", words = ""] = /^(#{0,3}) ?([\s\S]*)$/.exec(text) ?? [];
  const level = signs.length === 3 ? 0 : signs.length + 1;
  const heading = words === "" ? "Heading" : words;
  replace(area, range, level === 0 ? heading : `${"#".repeat(level)} ${heading}`, heading);
  return level;
}

export function toggleList(area: HTMLTextAreaElement): void {
  const { range, text } = lines(area);
  const items = text.split("\n");
  const isList = items.every((line) => line.trim() === "" || /^\s*- /.test(line));
  if (isList && text.trim() !== "") {
    replace(area, range, text.replace(/^(\s*)- /gm, "$1"));
    return;
  }
  const list = text.trim() === "" ? "- " : text.replace(/^(?=.*\S)(?!- )/gm, "- ");
  const { value } = area;
  // A list begins behind an empty line, unless it goes on with one.
  const before = value.slice(0, range[0]);
  const gap = before === "" || /\n\n$|(^|\n)\s*- [^\n]*\n$/.test(before) ? "" : "\n";
  replace(area, range, gap + list);
}

/** Inserts paragraphs of their own in place of the selection. */
export function insertBlock(area: HTMLTextAreaElement, markdown: string): void {
  const { value, selectionStart: start, selectionEnd: end } = area;
  const before = value.slice(0, start);
  const after = value.slice(end);
  const gapBefore = before.trim() === "" || /\n\s*\n$/.test(before) ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  const gapAfter = after === "" || /^\s*\n\s*\n/.test(after) ? "" : after.startsWith("\n") ? "\n" : "\n\n";
  replace(area, [start, end], gapBefore + markdown + gapAfter);
}
