import type { Image, Link, Nodes, Paragraph, PhrasingContent, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { type Block, type Inline, type ListItem, lines } from "#app/email/blocks/blocks.ts";
import { literalStars, splitAddresses } from "#app/features/letters/send/bare-text.server.ts";
import {
  imageProblem,
  type LetterProblem,
  lineOf,
  linkProblem,
  MAX_DEPTH,
  NOTHING_WRITTEN,
  noHtml,
  ownPicture,
  placeholderProblems,
  textProblems,
  tooDeep,
} from "#app/features/letters/send/letter-problems.server.ts";

const MAX_PROBLEMS = 20;

/** From the address of a link, or of a picture of this site, to where it leads; null for no link: its text stays, a button goes. */
type Resolve = (address: string) => string | null;

/** What the owner writes, read by {@link readLetter} if it is within the limits. */
export function parseLetter(body: string): ReturnType<typeof readLetter> {
  const refused = textProblems(body);
  return refused.length > 0 ? { blocks: [], problems: refused.slice(0, MAX_PROBLEMS) } : readLetter(body);
}

/**
 * Reads a letter's body: CommonMark with headings, paragraphs, lists, links, images, emphasis, quotes and lines. A
 * paragraph that is one bold link is a button: `**[Open the map](https://example.com)**`. A line break is kept as it was
 * typed, `5*3*2` stays, and a bare `https://` address is a link.
 *
 * Of any size: limits apply when a letter is written, and those that came later must not change one that was sent. A batch
 * that was attempted before a deployment which changes these rules can differ at a retry; the provider refuses that one by
 * its idempotency key, and the owner decides about it as about any with an unknown outcome.
 *
 * @returns the blocks without the refused ones, and what is wrong with those, in the order of their lines
 */
export function readLetter(body: string, resolve: Resolve = (address) => address) {
  const problems: LetterProblem[] = [];
  const read = blocks(fromMarkdown(body, { extensions: [literalStars] }).children, 0);
  if (read.length === 0 && problems.length === 0) problems.push({ line: 1, text: NOTHING_WRITTEN });
  problems.sort((a, b) => a.line - b.line);
  return { blocks: read, problems: problems.slice(0, MAX_PROBLEMS) };

  function blocks(nodes: RootContent[], depth: number): Block[] {
    return nodes.flatMap((node) => block(node, depth) ?? []);
  }

  function block(node: RootContent, depth: number): Block | null {
    switch (node.type) {
      case "paragraph":
        return paragraph(node);
      case "heading": {
        const level = ([1, 2, 3] as const).find((level) => level === node.depth);
        if (level === undefined) return refuse(node, "Headings have one, two or three # signs.");
        return { type: "heading", level, children: content(node.children) };
      }
      case "list":
      case "blockquote":
        if (depth >= MAX_DEPTH) return refuse(node, tooDeep);
        if (node.type === "blockquote") return { type: "quote", children: blocks(node.children, depth + 1) };
        return {
          type: "list",
          start: node.ordered ? (node.start ?? 1) : null,
          children: node.children.map(({ children }) => item(children, depth + 1)),
        };
      case "thematicBreak":
        return { type: "rule" };
      default:
        return refuse(node, unsupportedText(node));
    }
  }

  function item(nodes: RootContent[], depth: number): ListItem {
    const children = blocks(nodes, depth);
    if (children[0]?.type === "paragraph") children[0].isTight = true;
    return { type: "item", children };
  }

  function paragraph(node: Paragraph): Block | null {
    if (tableLine.test(source(node))) return refuse(node, "A letter cannot have tables. Use a list.");
    const only = node.children.length === 1 ? node.children[0] : undefined;
    const inner = only !== undefined && "children" in only && only.children.length === 1 ? only.children[0] : undefined;
    if (only?.type === "image") return image(only, null);
    if (only?.type === "link" && inner?.type === "image") return image(inner, link(only));
    if (only?.type === "strong" && inner?.type === "link") {
      const address = link(inner);
      return address === null ? null : { type: "button", address, children: content(inner.children, 1, true) };
    }
    return { type: "paragraph", children: content(node.children) };
  }

  function image(node: Image, address: string | null): Block | null {
    const alt = node.alt?.trim() ?? "";
    const problem =
      imageProblem(node.url) ??
      (alt === "" ? "Describe the image in its square brackets, for those who do not see it." : null) ??
      (node.title ? noTitle : null);
    if (problem !== null) return refuse(node, problem);
    problems.push(...placeholderProblems([{ type: "text", value: alt, position: node.position }]));
    const own = ownPicture(node.url);
    if (own === null) return { type: "image", source: node.url, alt, address };
    const { width, height } = own;
    return { type: "image", source: resolve(node.url) ?? node.url, alt, address, size: { width, height } };
  }

  function link(node: Link): string | null {
    const problem =
      linkProblem(node.url) ??
      (node.title ? noTitle : null) ??
      (node.children.length === 0 ? "Write the link’s text in its square brackets." : null);
    return problem === null ? resolve(node.url) : refuse(node, problem);
  }

  function content(nodes: PhrasingContent[], depth = 0, isInLink = false): Inline[] {
    problems.push(...placeholderProblems(nodes));
    return inlines(nodes, depth, isInLink);
  }

  function inlines(nodes: PhrasingContent[], depth: number, isInLink: boolean): Inline[] {
    return nodes.flatMap((node) => inline(node, depth, isInLink) ?? []);
  }

  function inline(node: PhrasingContent, depth: number, isInLink: boolean): Inline | Inline[] | null {
    switch (node.type) {
      case "text":
        return isInLink ? lines(node.value) : splitAddresses(node.value).flatMap(bareText);
      case "break":
        return { type: "line-break" };
      case "strong":
      case "emphasis":
        if (depth >= MAX_DEPTH) return refuse(node, "There are too many * or _ signs inside each other.");
        return { type: node.type, children: inlines(node.children, depth + 1, isInLink) };
      case "link": {
        const address = link(node);
        const children = inlines(node.children, depth + 1, true);
        return address === null ? children : { type: "link", address, children };
      }
      case "image":
        return refuse(node, "An image stands alone: leave an empty line above and below it.");
      default:
        return refuse(node, unsupportedText(node));
    }
  }

  /** One that cannot be a link, such as `https://localhost`, stays text. */
  function bareText({ text, isAddress }: ReturnType<typeof splitAddresses>[number]): Inline[] {
    const address = isAddress && linkProblem(text) === null ? resolve(text) : null;
    return address === null ? lines(text) : [{ type: "link", address, children: [text] }];
  }

  function unsupportedText(node: Nodes): string {
    if (node.type === "code" && /^\s*(`{3}|~{3})/.test(source(node))) {
      return "A letter cannot have blocks of code. Remove the three signs above and below.";
    }
    return unsupported[node.type] ?? "This kind of Markdown has no place in a letter.";
  }

  function source({ position }: Nodes): string {
    return body.slice(position?.start.offset, position?.end.offset);
  }

  function refuse(node: Nodes, text: string): null {
    const line = lineOf(node);
    const isKnown = problems.some((problem) => problem.line === line && problem.text === text);
    if (!isKnown) problems.push({ line, text });
    return null;
  }
}

/** The line between a table's head and body, with at least two columns. */
const tableLine = /^[ \t]*(\|[ \t]*)?:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)+(\|[ \t]*)?$/m;

const addressBehindText = "Write the address right behind its text: [text](https://example.com).";

const unsupported: Partial<Record<Nodes["type"], string>> = {
  html: noHtml,
  code: "Four spaces at the beginning of a line make a block of code. Remove the spaces.",
  inlineCode: "A letter cannot have code. Remove the ` signs.",
  definition: addressBehindText,
  linkReference: addressBehindText,
  imageReference: addressBehindText,
};

const noTitle = "Remove the text in quotation marks after the address.";
