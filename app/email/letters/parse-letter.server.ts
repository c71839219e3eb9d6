import type { Image, Link, Nodes, Paragraph, PhrasingContent, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import type { Block, Inline, ListItem } from "#app/email/blocks/blocks.ts";
import { imageProblem, linkProblem, placeholders } from "#app/email/letters/letter-address.server.ts";

/** Characters. Gmail hides what goes beyond 102 KB of HTML. */
export const MAX_BODY_LENGTH = 40_000;

/** Lists and quotes inside each other, or emphasis inside emphasis. */
const MAX_DEPTH = 5;

/** Characters. The time that Markdown takes can grow with the square of a line's length. */
const MAX_LINE_LENGTH = 5_000;

/** Problems to report at once. */
const MAX_PROBLEMS = 20;

/** What is wrong with a body, as a sentence, and the line it stands on (from 1). */
export interface LetterProblem {
  line: number;
  text: string;
}

/** From the address of a link to where it leads; null for no link: its text stays, a button goes. */
type Resolve = (address: string) => string | null;

/**
 * Reads a letter's body: CommonMark with headings, paragraphs, lists, links, images, emphasis, quotes and lines. A
 * paragraph that is one bold link is a button: `**[Open the map](https://example.com)**`.
 *
 * @returns the blocks without the refused ones, and what is wrong with those, in the order of their lines
 */
export function parseLetter(
  body: string,
  resolve: Resolve = (address) => address,
): { blocks: Block[]; problems: LetterProblem[] } {
  const refused = textProblems(body);
  if (refused.length > 0) return { blocks: [], problems: refused };
  const reader = new BlockReader(body, resolve);
  const { problems } = reader;
  const blocks = reader.blocks(fromMarkdown(body).children, 0);
  if (blocks.length === 0 && problems.length === 0) problems.push({ line: 1, text: "Write something." });
  problems.sort((a, b) => a.line - b.line);
  return { blocks, problems: problems.slice(0, MAX_PROBLEMS) };
}

/** What makes a text unfit to be read as Markdown. */
function textProblems(body: string): LetterProblem[] {
  if (body.length > MAX_BODY_LENGTH) {
    const [length, most] = [body.length, MAX_BODY_LENGTH].map((count) => count.toLocaleString("en-GB"));
    return [{ line: 1, text: `The letter has ${length} characters. Shorten it to ${most} at most.` }];
  }
  return body
    .split("\n")
    .flatMap((line, index) => lineProblems(line).map((text) => ({ line: index + 1, text })))
    .slice(0, MAX_PROBLEMS);
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

const tooDeep = `At most ${MAX_DEPTH} lists or quotes can be inside each other.`;

/** Turns Markdown's nodes into blocks, and collects what is wrong with the others. */
class BlockReader {
  readonly problems: LetterProblem[] = [];
  readonly #body: string;
  readonly #resolve: Resolve;

  constructor(body: string, resolve: Resolve) {
    this.#body = body;
    this.#resolve = resolve;
  }

  blocks(nodes: RootContent[], depth: number): Block[] {
    return nodes.flatMap((node) => this.#block(node, depth) ?? []);
  }

  #block(node: RootContent, depth: number): Block | null {
    switch (node.type) {
      case "paragraph":
        return this.#paragraph(node);
      case "heading": {
        const level = ([1, 2, 3] as const).find((level) => level === node.depth);
        if (level === undefined) return this.#refuse(node, "Headings have one, two or three # signs.");
        return { type: "heading", level, children: this.#content(node.children) };
      }
      case "list":
      case "blockquote":
        if (depth >= MAX_DEPTH) return this.#refuse(node, tooDeep);
        if (node.type === "blockquote") return { type: "quote", children: this.blocks(node.children, depth + 1) };
        return {
          type: "list",
          start: node.ordered ? (node.start ?? 1) : null,
          children: node.children.map(({ children }) => this.#item(children, depth + 1)),
        };
      case "thematicBreak":
        return { type: "rule" };
      default:
        return this.#refuse(node, this.#unsupported(node));
    }
  }

  #item(nodes: RootContent[], depth: number): ListItem {
    const children = this.blocks(nodes, depth);
    if (children[0]?.type === "paragraph") children[0].isTight = true;
    return { type: "item", children };
  }

  /** A paragraph, or the button or image that it consists of. */
  #paragraph(node: Paragraph): Block | null {
    if (tableLine.test(this.#source(node))) return this.#refuse(node, "A letter cannot have tables. Use a list.");
    const only = onlyOf(node.children);
    const inner = only?.type === "link" || only?.type === "strong" ? onlyOf(only.children) : undefined;
    if (only?.type === "image") return this.#image(only, null);
    if (only?.type === "link" && inner?.type === "image") return this.#image(inner, this.#link(only));
    if (only?.type === "strong" && inner?.type === "link") return this.#button(inner);
    return { type: "paragraph", children: this.#content(node.children) };
  }

  #button(node: Link): Block | null {
    const address = this.#link(node);
    return address === null ? null : { type: "button", address, children: this.#content(node.children, 1) };
  }

  #image(node: Image, address: string | null): Block | null {
    const alt = node.alt?.trim() ?? "";
    const problem =
      imageProblem(node.url) ??
      (alt === "" ? "Describe the image in its square brackets, for those who do not see it." : null) ??
      (node.title ? noTitle : null);
    if (problem !== null) return this.#refuse(node, problem);
    this.#checkBraces([{ value: alt, position: node.position }]);
    return { type: "image", source: node.url, alt, address };
  }

  /** Where a link leads; null for no link. */
  #link(node: Link): string | null {
    const problem =
      linkProblem(node.url) ??
      (node.title ? noTitle : null) ??
      (node.children.length === 0 ? "Write the link’s text in its square brackets." : null);
    return problem === null ? this.#resolve(node.url) : this.#refuse(node, problem);
  }

  /** What a block consists of. */
  #content(nodes: PhrasingContent[], depth = 0): Inline[] {
    this.#checkBraces(textsIn(nodes));
    return this.#inlines(nodes, depth);
  }

  #inlines(nodes: PhrasingContent[], depth: number): Inline[] {
    return nodes.flatMap((node) => this.#inline(node, depth) ?? []);
  }

  #inline(node: PhrasingContent, depth: number): Inline | Inline[] | null {
    switch (node.type) {
      case "text":
        return node.value;
      case "break":
        return { type: "line-break" };
      case "strong":
      case "emphasis":
        if (depth >= MAX_DEPTH) return this.#refuse(node, "There are too many * or _ signs inside each other.");
        return { type: node.type, children: this.#inlines(node.children, depth + 1) };
      case "link": {
        const address = this.#link(node);
        const children = this.#inlines(node.children, depth + 1);
        return address === null ? children : { type: "link", address, children };
      }
      case "image":
        return this.#refuse(node, "An image stands alone: leave an empty line above and below it.");
      default:
        return this.#refuse(node, this.#unsupported(node));
    }
  }

  /** The site fills placeholders only in addresses. One can also begin and end in different emphasis. */
  #checkBraces(texts: TextPiece[]): void {
    const whole = texts.map(({ value }) => value).join("");
    for (const { 0: found, index } of whole.matchAll(/\{\{[^{}\n]*\}{0,2}/g)) {
      const known = Object.values(placeholders).some((placeholder) => placeholder === found);
      const what = known ? `${found} is an address` : `${short(found)} is not filled in`;
      this.problems.push({ line: lineAt(texts, index), text: `${what}. ${placeholderHelp}` });
    }
  }

  #unsupported(node: Nodes): string {
    switch (node.type) {
      case "html":
        return "A letter cannot have HTML. Write it in Markdown, or put a backslash before the < sign.";
      case "code":
        return /^\s*(`{3}|~{3})/.test(this.#source(node))
          ? "A letter cannot have blocks of code. Remove the three signs above and below."
          : "Four spaces at the beginning of a line make a block of code. Remove the spaces.";
      case "inlineCode":
        return "A letter cannot have code. Remove the ` signs.";
      case "definition":
      case "linkReference":
      case "imageReference":
        return "Write the address right behind its text: [text](https://example.com).";
      default:
        return "This kind of Markdown has no place in a letter.";
    }
  }

  #source({ position }: Nodes): string {
    return this.#body.slice(position?.start.offset, position?.end.offset);
  }

  #refuse(node: Nodes, text: string): null {
    const line = lineOf(node);
    const isKnown = this.problems.some((problem) => problem.line === line && problem.text === text);
    if (!isKnown) this.problems.push({ line, text });
    return null;
  }
}

function onlyOf([only, ...others]: PhrasingContent[]): PhrasingContent | undefined {
  return others.length === 0 ? only : undefined;
}

/** The line between a table's head and body, with at least two columns. */
const tableLine = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*$/m;

const noTitle = "Remove the text in quotation marks after the address.";

const placeholderHelp = `Placeholders are the addresses of links: [Unsubscribe](${placeholders.unsubscribe}) or [our site](${placeholders.site}).`;

interface TextPiece extends Pick<Nodes, "position"> {
  value: string;
}

/** The texts inside a block, with line breaks. */
function textsIn(nodes: PhrasingContent[]): TextPiece[] {
  return nodes.flatMap((node) => {
    if (node.type === "text") return [node];
    if (node.type === "break") return [{ value: "\n", position: node.position }];
    return "children" in node ? textsIn(node.children) : [];
  });
}

/** The line of the source that a character of the joined texts stands on. */
function lineAt(texts: TextPiece[], index: number): number {
  let start = 0;
  for (const piece of texts) {
    const breaks = piece.value.slice(0, index - start).split("\n").length - 1;
    start += piece.value.length;
    // A character reference can be a line break, too, which is no line of the source.
    if (index < start) return Math.min(lineOf(piece) + breaks, piece.position?.end.line ?? 1);
  }
  return 1;
}

function lineOf({ position }: Pick<Nodes, "position">): number {
  return position?.start.line ?? 1;
}

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
