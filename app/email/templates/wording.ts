import { type Block, type Inline, lines as linesOf, paragraph } from "#app/email/blocks/blocks.ts";
import type { EntryEmailKind } from "#app/server/db/schema/email.server.ts";

/** The words of an email that an owner can change. All else in it stays: buttons, links to leave, who sends it and why. */
export interface EmailWording {
  subject: string;
  heading: string;
  body: string;
}

export const wordedKinds = ["welcome", "confirm", "confirm-reminder"] as const satisfies EntryEmailKind[];

/** @public for the wording of emails, which can be removed */
export type WordedKind = (typeof wordedKinds)[number];

/**
 * The blocks of an email's text: paragraphs and lists (`- one`), with links, bold and italics as in Markdown, and with their
 * line breaks. The letters' parser reads all of Markdown, and takes more time to load than an invocation on the free plan has.
 */
export function readWording(text: string): Block[] {
  return paragraphsOf(text).map(({ lines }) => {
    if (!lines.every((line) => line.startsWith("- "))) return paragraph(...readInlines(lines.join("\n")));
    const items = lines.map((line) => readInlines(line.slice("- ".length)));
    return {
      type: "list",
      start: null,
      children: items.map((children) => ({ type: "item", children: [{ type: "paragraph", isTight: true, children }] })),
    };
  });
}

/** A text without a meaning of its own, for {@link readWording}. */
export function plain(text: string): string {
  return text.replace(/[\\*[\]]/g, "\\$&");
}

/** Lines between empty ones, with the number of the first (from 1). */
export function paragraphsOf(text: string): { line: number; lines: string[] }[] {
  const found: { line: number; lines: string[] }[] = [];
  let isOpen = false;
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") isOpen = false;
    else if (isOpen) found.at(-1)?.lines.push(line.trim());
    else {
      found.push({ line: index + 1, lines: [line.trim()] });
      isOpen = true;
    }
  }
  return found;
}

/** A backslash and its sign, a link, bold or italics. */
const inline = /\\([\\*[\]])|\[((?:\\.|[^[\]\\])+)\]\(([^()\s]+)\)|\*\*((?:[^*\n]|\*(?!\*))+)\*\*|\*([^*\n]+)\*/g;

function readInlines(text: string): Inline[] {
  const inlines: Inline[] = [];
  let plainText = "";
  let end = 0;
  const add = (...added: Inline[]) => {
    inlines.push(...linesOf(plainText), ...added);
    plainText = "";
  };
  for (const found of text.matchAll(inline)) {
    plainText += text.slice(end, found.index);
    end = found.index + found[0].length;
    const [, sign, label, address, strong, emphasis] = found;
    if (sign !== undefined) plainText += sign;
    else if (label !== undefined) add({ type: "link", address: address ?? "", children: readInlines(label) });
    else if (strong !== undefined) add({ type: "strong", children: readInlines(strong) });
    else add({ type: "emphasis", children: readInlines(emphasis ?? "") });
  }
  plainText += text.slice(end);
  add();
  return inlines;
}

/** @public for the wording of emails, which can be removed */
export function wordingLinks(text: string): string[] {
  return Array.from(text.matchAll(inline), ([, , , address]) => address).filter((address) => address !== undefined);
}

/** @public for the wording of emails, which can be removed */
export function hasBrokenLink(text: string): boolean {
  return text.replace(inline, "").includes("](");
}
