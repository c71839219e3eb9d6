import type { Nodes, PhrasingContent, Text } from "mdast";
import { placeholders } from "#app/email/letters/letter-address.server.ts";

/** Characters. Gmail hides what goes beyond 102 KB of HTML. */
export const MAX_BODY_LENGTH = 40_000;

/** Lists and quotes inside each other, or emphasis inside emphasis. */
export const MAX_DEPTH = 5;

/** Characters. The time that Markdown takes can grow with the square of a line's length. */
const MAX_LINE_LENGTH = 5_000;

/** What is wrong with a body, as a sentence, and the line it stands on (from 1). */
export interface LetterProblem {
  line: number;
  text: string;
}

/** What makes a text unfit to be read as Markdown. */
export function textProblems(body: string): LetterProblem[] {
  if (body.length > MAX_BODY_LENGTH) {
    const [length, most] = [body.length, MAX_BODY_LENGTH].map((count) => count.toLocaleString("en-GB"));
    return [{ line: 1, text: `The letter has ${length} characters. Shorten it to ${most} at most.` }];
  }
  return body.split("\n").flatMap((line, index) => lineProblems(line).map((text) => ({ line: index + 1, text })));
}

function lineProblems(line: string): string[] {
  const problems: string[] = [];
  const hidden = hiddenCharacter.exec(line)?.[0];
  if (hidden !== undefined) {
    const code = hidden.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    problems.push(`There is a character that cannot be shown (U+${code}). Delete it.`);
  }
  if (line.length > MAX_LINE_LENGTH) problems.push("This paragraph is too long. Divide it with empty lines.");
  if (manyContainers.test(line) && !ruleLine.test(line)) problems.push(tooDeep);
  return problems;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const hiddenCharacter = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufffd]/;

/** The signs of more lists and quotes than are allowed, of which Markdown could read thousands for a minute. */
const manyContainers = new RegExp(`^(\\s*>|\\s*([-+*]|\\d{1,9}[.)])(?=\\s)){${MAX_DEPTH + 1}}`);

const ruleLine = /^[ \t]*(([-*_])[ \t]*)\2[-*_ \t]*$/;

export const tooDeep = `At most ${MAX_DEPTH} lists or quotes can be inside each other.`;

/**
 * Placeholders in the text of a block: the site fills them only in addresses. One can also begin and end in different
 * emphasis.
 */
export function placeholderProblems(nodes: PhrasingContent[]): LetterProblem[] {
  const texts = textsIn(nodes);
  const whole = texts.map(({ value }) => value).join("");
  return Array.from(whole.matchAll(/\{\{[^{}\n]*\}{0,2}/g), ({ 0: found, index }) => {
    const known = Object.values(placeholders).some((placeholder) => placeholder === found);
    const what = known ? `${found} is an address` : `${short(found)} is not filled in`;
    return { line: lineAt(texts, index), text: `${what}. ${placeholderHelp}` };
  });
}

const placeholderHelp = `Placeholders are the addresses of links: [Unsubscribe](${placeholders.unsubscribe}) or [our site](${placeholders.site}).`;

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

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
