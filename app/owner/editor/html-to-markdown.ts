import { type HtmlElement, type HtmlNode, readHtml } from "#app/owner/editor/html-nodes.ts";
import { type Piece, printPieces } from "#app/owner/editor/print-pieces.ts";

/*
 * Own code, since no library fits: turndown parses with DOMParser, which Trusted Types refuse, and htmlparser2 alone takes
 * 52 of the 60 KB.
 */

/** Lists inside each other. A letter has at most five lists and quotes inside each other. */
const MAX_DEPTH = 4;

interface Context {
  /** Headings are bold anyway. */
  isHeading: boolean;
  bold: boolean;
  italic: boolean;
  href: string | null;
  isQuoted: boolean;
  isPreformatted: boolean;
  /** Lists around, the innermost last. */
  lists: List[];
}

interface List {
  /** Of the next item; null for bullets. */
  number: number | null;
}

interface Block {
  pieces: Piece[];
  kind: "paragraph" | "heading" | "item" | "rule";
  /** Of a heading. */
  level: number;
  isQuoted: boolean;
  /** Of lists around. */
  depth: number;
  /** Of an item. */
  marker: string;
}

/**
 * The Markdown of HTML from the clipboard: headings, paragraphs, lists, quotes, line breaks, links, bold and italics.
 * Everything else is text, whose signs mean nothing.
 */
export function htmlToMarkdown(html: string): string {
  const blocks: Block[] = [];
  let block: Block | null = null;
  const start: Context = {
    isHeading: false,
    bold: false,
    italic: false,
    href: null,
    isQuoted: false,
    isPreformatted: false,
    lists: [],
  };
  walk(readHtml(html).children, start);
  return printBlocks(blocks);

  function walk(nodes: HtmlNode[], context: Context): void {
    for (const node of nodes) {
      if (typeof node === "string") addText(node, context);
      else element(node, context);
    }
  }

  function element(node: HtmlElement, context: Context): void {
    const { tag, attributes, children } = node;
    const style = attributes["style"] ?? "";
    if (/display:\s*none|mso-hide:\s*all|mso-list:\s*ignore/i.test(style)) return;
    const inner = { ...context, ...marksOf(tag, style, context) };
    const level = headingLevel(tag, attributes["class"] ?? "");
    if (tag === "br") add({ text: "\n" }, context);
    else if (tag === "hr") open("rule", context);
    else if (tag === "img") image(attributes, context);
    else if (tag === "a") walk(children, { ...inner, href: linkAddress(attributes["href"]) ?? context.href });
    else if (tag === "ul" || tag === "ol") list(node, inner);
    else if (tag === "li") item(children, inner, context.lists.at(-1) ?? { number: null });
    else if (/mso-list:\s*l\d/i.test(style)) wordItem(node, inner);
    else if (level !== null) heading(level, children, inner);
    else if (tag === "blockquote") paragraph(children, { ...inner, isQuoted: true });
    else if (isBlock.test(tag))
      paragraph(children, { ...inner, isPreformatted: inner.isPreformatted || tag === "pre" });
    else {
      // The cells of a row stand in one line.
      if ((tag === "td" || tag === "th") && block !== null && block.pieces.length > 0) add({ text: " · " }, inner);
      walk(children, inner);
    }
  }

  function list({ tag, attributes, children }: HtmlElement, context: Context): void {
    const first = Number(attributes["start"] ?? 1);
    const number = tag === "ul" ? null : Number.isInteger(first) && first >= 0 ? first : 1;
    block = null;
    walk(children, { ...context, lists: [...context.lists, { number }].slice(-MAX_DEPTH) });
    block = null;
  }

  function heading(level: number, children: HtmlNode[], context: Context): void {
    if (level > 3) {
      paragraph(children, { ...context, bold: true });
      return;
    }
    open("heading", context).level = level;
    walk(children, { ...context, isHeading: true });
    block = null;
  }

  function paragraph(children: HtmlNode[], context: Context): void {
    // A list item begins with its marker, whatever is around its text.
    if (block?.kind !== "item" || block.pieces.length > 0) block = null;
    walk(children, context);
    block = null;
  }

  function item(children: HtmlNode[], context: Context, list: List): void {
    const lists = context.lists.length === 0 ? [list] : context.lists;
    const begun = open("item", { ...context, lists });
    begun.marker = list.number === null ? "- " : `${list.number}. `;
    if (list.number !== null) list.number += 1;
    walk(children, { ...context, lists });
    block = null;
  }

  /** Word writes the items of lists as paragraphs, each with its mark as text. */
  function wordItem(node: HtmlElement, context: Context): void {
    const depth = Number(/level(\d)/i.exec(node.attributes["style"] ?? "")?.[1] ?? 1);
    const mark = textOf(node.children.find(isWordMark) ?? "").trim();
    const lists = Array.from({ length: Math.min(depth, MAX_DEPTH) }, () => ({ number: null }));
    const number = /^[\da-z]+[.)]/i.test(mark) ? Number.parseInt(mark, 10) || nextNumber(lists.length) : null;
    item(node.children, { ...context, lists }, { number });
  }

  /** Of an item with a letter or a Roman number. */
  function nextNumber(depth: number): number {
    const before = blocks.findLast((other) => other.kind !== "item" || other.depth <= depth);
    return before?.kind === "item" && before.depth === depth ? (Number.parseInt(before.marker, 10) || 0) + 1 : 1;
  }

  function image({ src = "", alt = "", width = "" }: Record<string, string>, context: Context): void {
    const isPixel = /^[0-3](px)?$/.test(width.trim());
    const address = /^https:/i.test(src) && !isPixel ? linkAddress(src) : null;
    if (address === null) return;
    block = null;
    open("paragraph", context).pieces.push({ text: alt.trim() || "Picture", image: address });
    block = null;
  }

  function addText(text: string, context: Context): void {
    const readable = text.replace(/[\u200b\ufeff\u00ad]/g, "").replace(/\r\n?/g, "\n");
    add({ text: context.isPreformatted ? readable : readable.replace(/[ \t\n\u00a0]+/g, " ") }, context);
  }

  function add({ text }: Piece, context: Context): void {
    if (block === null && text.trim() === "") return;
    const { bold, italic, href } = { ...context, ...(context.isHeading ? { bold: false } : {}) };
    (block ?? open("paragraph", context)).pieces.push({ text, bold, italic, href });
  }

  function open(kind: Block["kind"], { isQuoted, lists }: Context): Block {
    const opened: Block = { kind, pieces: [], level: 0, isQuoted, depth: lists.length, marker: "" };
    blocks.push(opened);
    block = kind === "rule" ? null : opened;
    return opened;
  }
}

const isBlock =
  /^(p|div|section|article|header|footer|main|nav|aside|figure|figcaption|table|tr|pre|dl|dt|dd|address|center)$/;

function headingLevel(tag: string, className: string): number | null {
  if (/^h[1-6]$/.test(tag)) return Number(tag[1]);
  if (/\bMsoTitle\b/.test(className)) return 1;
  const [, level] = /\bMsoHeading([1-9])\b/.exec(className) ?? [];
  return level === undefined ? null : Number(level);
}

/** Docs and Apple's programs write them as styles, also to take those of an element back. */
function marksOf(tag: string, style: string, { bold, italic }: Context): Pick<Context, "bold" | "italic"> {
  const [, weight] = /(?:^|[;\s])font-weight:\s*([a-z]+|\d+)/i.exec(style) ?? [];
  const [, slant] = /(?:^|[;\s])font-style:\s*([a-z]+)/i.exec(style) ?? [];
  return {
    bold: weight === undefined ? bold || tag === "b" || tag === "strong" : /^(bold|bolder|[6-9]\d\d)$/i.test(weight),
    italic: slant === undefined ? italic || tag === "i" || tag === "em" : /^(italic|oblique)/i.test(slant),
  };
}

/** As a letter may have it; null for other addresses, whose text stays. */
function linkAddress(href = ""): string | null {
  const address = unwrapped(href.trim());
  if (!/^(https:\/\/|mailto:[^?\s])/i.test(address)) return null;
  const clean = /^mailto:/i.test(address) ? address.replace(/\?.*/, "") : address;
  return clean.replace(/[\s()<>\\]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
}

/** Where a link through Google's redirect leads. */
function unwrapped(href: string): string {
  const [, target] = /^https:\/\/www\.google\.com\/url\?(?:.*&)?q=(https[^&]+)/i.exec(href) ?? [];
  try {
    return target === undefined ? href : decodeURIComponent(target);
  } catch {
    return href;
  }
}

function isWordMark(node: HtmlNode): boolean {
  if (typeof node === "string") return false;
  return /mso-list:\s*ignore/i.test(node.attributes["style"] ?? "") || node.children.some(isWordMark);
}

function textOf(node: HtmlNode): string {
  return typeof node === "string" ? node : node.children.map(textOf).join("");
}

function printBlocks(blocks: Block[]): string {
  const printed: { text: string; item: Block | null }[] = [];
  /** Of the marks of the lists around. */
  const widths: number[] = [];
  for (const block of blocks) {
    const { kind, level, depth, marker } = block;
    const isItem = kind === "item";
    const around = Math.max(0, isItem ? depth - 1 : depth);
    widths.length = Math.min(widths.length, around);
    const indent = " ".repeat(widths.reduce((sum, width) => sum + width, 0));
    for (const [index, content] of printPieces(block.pieces, kind === "rule").entries()) {
      const text = kind === "heading" ? content.replace(/\n+/g, " ") : content;
      const mark = kind === "heading" ? `${"#".repeat(level)} ` : isItem && index === 0 ? marker : "";
      const inner = isItem && index > 0 ? indent + " ".repeat(marker.length) : indent;
      const quote = block.isQuoted ? "> " : "";
      const rest = isItem ? " ".repeat(marker.length) : "";
      const [first = "", ...others] = text.split("\n");
      const lines = [inner + mark + first, ...others.map((line) => indent + rest + line)];
      printed.push({ text: lines.map((line) => quote + line).join("\n"), item: isItem && index === 0 ? block : null });
    }
    if (isItem) widths.push(marker.length);
  }
  return printed
    .map(({ text, item }, index) => {
      const before = printed[index - 1];
      if (before === undefined) return text;
      if (item !== null && before.item !== null && isTight(before.item, item)) return `\n${text}`;
      return (text.startsWith(">") && before.text.startsWith(">") ? "\n>\n" : "\n\n") + text;
    })
    .join("");
}

/** Whether an item needs no empty line before it. A number other than 1 does not begin a list within a paragraph. */
function isTight(before: Block, item: Block): boolean {
  if (item.depth > before.depth) return /^(-|1\.)/.test(item.marker);
  return item.depth < before.depth || item.marker.startsWith("-") === before.marker.startsWith("-");
}
