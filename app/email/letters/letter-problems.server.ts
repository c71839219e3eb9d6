import type { Nodes, PhrasingContent, Text } from "mdast";
import { hiddenCharacter } from "#app/email/hidden-character.ts";
import { anyPlaceholder, greetingProblem } from "#app/email/letters/greeting-problems.server.ts";
import { placeholders } from "#app/email/letters/letter-address.server.ts";

/** Characters. Gmail hides what goes beyond 102 KB of HTML. */
export const MAX_BODY_LENGTH = 40_000;

/** Lists and quotes inside each other, or emphasis inside emphasis. */
export const MAX_DEPTH = 5;

/*
 * What makes Markdown slow: the time can grow with the square of most of these. Together they keep any letter below 300 ms
 * (tests/scripts/letter-time.nightly.test.ts).
 */
const MAX_LINES = 1_000;
/** Signs of emphasis, links, code, HTML and references in a letter. */
const MAX_SIGNS = 4_000;
/** Signs of lists and quotes in a letter. */
const MAX_CONTAINERS = 500;
/** Characters of a paragraph. */
const MAX_PARAGRAPH_LENGTH = 5_000;
/** Signs of emphasis in a paragraph. */
const MAX_EMPHASIS = 100;
/** Square brackets of a paragraph, two for each link. */
const MAX_BRACKETS = 300;

/** What is wrong with a body, as a sentence, and the line it stands on (from 1). */
export interface LetterProblem {
  line: number;
  text: string;
}

/** The only problem of a body without anything to read. */
export const NOTHING_WRITTEN = "Write the letter.";

/** A letter that cannot be rendered, such as one with an answer to a question that this site no longer asks. */
export class LetterProblemError extends Error {}

/** What makes a text unfit to be read as Markdown. */
export function textProblems(body: string): LetterProblem[] {
  if (body.length > MAX_BODY_LENGTH) {
    const [length, most] = [body.length, MAX_BODY_LENGTH].map((count) => count.toLocaleString("en-GB"));
    return [{ line: 1, text: `The letter has ${length} characters. Shorten it to ${most} at most.` }];
  }
  const lines = body.split("\n");
  if (lines.length > MAX_LINES) {
    const [count, most] = [lines.length, MAX_LINES].map((count) => count.toLocaleString("en-GB"));
    return [{ line: MAX_LINES + 1, text: `The letter has ${count} lines. Shorten it to ${most} at most.` }];
  }
  return [...sizeProblems(lines), ...lines.flatMap((line, index) => problemsOn(index + 1, lineProblems(line)))];
}

/** Where a letter or a paragraph has more than one that people read. */
function sizeProblems(lines: string[]): LetterProblem[] {
  const problems: LetterProblem[] = [];
  let containers = 0;
  let signs = 0;
  let paragraph = { length: 0, emphasis: 0, brackets: 0, isInList: false };
  for (const [index, line] of lines.entries()) {
    // A line with more is refused for that.
    const opened = ruleLine.test(line) ? 0 : Math.min(line.match(container)?.length ?? 0, MAX_DEPTH + 1);
    if (isExceeded(MAX_CONTAINERS, containers, opened)) problems.push(...problemsOn(index + 1, [tooManyContainers]));
    containers += opened;
    const found = line.match(/[*_[\]<\\&`]/g)?.length ?? 0;
    if (isExceeded(MAX_SIGNS, signs, found)) problems.push(...problemsOn(index + 1, [tooManySigns]));
    signs += found;
    const isItem = startsItem(line, paragraph);
    if (isItem || blankLine.test(line)) paragraph = { length: 0, emphasis: 0, brackets: 0, isInList: isItem };
    const emphasis = line.match(/[*_]/g)?.length ?? 0;
    const brackets = line.match(/[[\]]/g)?.length ?? 0;
    const { length } = line;
    if (isExceeded(MAX_PARAGRAPH_LENGTH, paragraph.length, length)) problems.push(...problemsOn(index + 1, [tooLong]));
    if (isExceeded(MAX_EMPHASIS, paragraph.emphasis, emphasis)) {
      problems.push(...problemsOn(index + 1, [tooMuchEmphasis]));
    }
    if (isExceeded(MAX_BRACKETS, paragraph.brackets, brackets))
      problems.push(...problemsOn(index + 1, [tooManyBrackets]));
    paragraph.length += length;
    paragraph.brackets += brackets;
    paragraph.emphasis += emphasis;
  }
  return problems;
}

/** Whether adding to a count exceeds a limit for the first time. */
function isExceeded(limit: number, count: number, added: number): boolean {
  return count <= limit && count + added > limit;
}

/** A list's item ends the paragraph before it. Where that is no item of a list, a number does so only if it is 1. */
function startsItem(line: string, before: { length: number; isInList: boolean }): boolean {
  const [, sign] = /^ {0,3}([-+*]|\d{1,9}[.)])[ \t]+[^ \t]/.exec(line) ?? [];
  return (
    sign !== undefined &&
    (sign.length === 1 || Number.parseInt(sign, 10) === 1 || before.length === 0 || before.isInList)
  );
}

const problemsOn = (line: number, texts: string[]) => texts.map((text) => ({ line, text }));

function lineProblems(line: string): string[] {
  const problems: string[] = [];
  const hidden = hiddenCharacter.exec(line)?.[0];
  if (hidden !== undefined) {
    const code = hidden.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
    problems.push(`There is a character that cannot be shown (U+${code}). Delete it.`);
  }
  if (manyContainers.test(line) && !ruleLine.test(line)) problems.push(tooDeep);
  if (unclosedHtml.test(line)) problems.push(noHtml);
  return problems;
}

/** The signs of more lists and quotes than are allowed, of which Markdown could read thousands for a minute. */
const manyContainers = new RegExp(`^(\\s*>|\\s*([-+*]|\\d{1,9}[.)])(?=\\s)){${MAX_DEPTH + 1}}`);

/** At the beginning of a line, one after the other. */
const container = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))/gy;

/** The beginning of a comment or an instruction, whose end Markdown would look for in the rest of the paragraph. */
const unclosedHtml = /(?<!\\)(?:\\\\)*<[!?]/;

const blankLine = /^[ \t]*$/;

const ruleLine = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;

const tooManyContainers = `The letter has more than ${MAX_CONTAINERS} items of lists and lines of quotes. Use fewer.`;

const tooManySigns = `The letter has more than ${MAX_SIGNS.toLocaleString("en-GB")} of the signs * _ [ ] < & \\ and \`. Use fewer.`;

const tooLong = "This paragraph is too long. Divide it with empty lines.";

const tooMuchEmphasis = `This paragraph has more than ${MAX_EMPHASIS} * and _ signs. Divide it with empty lines.`;

const tooManyBrackets = `This paragraph has more than ${MAX_BRACKETS} [ and ] signs. Split it with empty lines.`;

export const noHtml = "A letter cannot have HTML. Write it in Markdown, or put a backslash before the < sign.";

export const tooDeep = `At most ${MAX_DEPTH} lists or quotes can be inside each other.`;

/**
 * Placeholders in the text of a block that the site cannot fill: those for addresses, and greetings that are malformed or
 * that begin and end in different emphasis.
 */
export function placeholderProblems(nodes: PhrasingContent[]): LetterProblem[] {
  const texts = textsIn(nodes);
  const whole = texts.map(({ value }) => value).join("");
  return Array.from(whole.matchAll(anyPlaceholder)).flatMap(({ 0: found, index }) => {
    const isAddress = Object.values(placeholders).some((placeholder) => placeholder === found);
    const text = isAddress ? `${found} is an address. ${addressHelp}` : greetingProblem(found);
    if (text !== null) return problemsOn(lineAt(texts, index), [text]);
    return isInOneText(texts, index, found) ? [] : problemsOn(lineAt(texts, index), [splitGreeting]);
  });
}

const addressHelp = `Use it as the address of a link: [Unsubscribe](${placeholders.unsubscribe}) or [our site](${placeholders.site}).`;

const splitGreeting = "Between {{ and }} there can be no * or _ signs, links or line breaks.";

function isInOneText(texts: Text[], index: number, found: string): boolean {
  let start = 0;
  for (const { value } of texts) {
    if (index < start + value.length) return index + found.length <= start + value.length;
    start += value.length;
  }
  return false;
}

/** The texts inside a block, with line breaks. */
function textsIn(nodes: PhrasingContent[]): Text[] {
  return nodes.flatMap((node) => {
    if (node.type === "text") return [node];
    if (node.type === "break") return [{ type: "text", value: "\n", position: node.position }];
    return "children" in node ? textsIn(node.children) : [];
  });
}

/** The line of the source that a character of the joined texts stands on. */
function lineAt(texts: Text[], index: number): number {
  let start = 0;
  for (const piece of texts) {
    const breaks = piece.value.slice(0, index - start).split("\n").length - 1;
    start += piece.value.length;
    // A character reference can be a line break, too, which is no line of the source.
    if (index < start) return Math.min(lineOf(piece) + breaks, piece.position?.end.line ?? 1);
  }
  return 1;
}

export function lineOf({ position }: Pick<Nodes, "position">): number {
  return position?.start.line ?? 1;
}
