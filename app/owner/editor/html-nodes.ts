/* Reads the HTML of the clipboard, which programs write. It makes no elements, so that nothing in it loads or runs. */

export interface HtmlElement {
  /** In lower case. */
  tag: string;
  attributes: Record<string, string>;
  children: HtmlNode[];
}

export type HtmlNode = string | HtmlElement;

/** Of elements inside each other. What is deeper stands beside the last of them, as in Chromium, whose limit is 512. */
const MAX_OPEN = 500;

/**
 * Never throws, and its time grows with the length alone. What is no tag is text; a tag without its end goes with all that
 * follows, as in browsers. Comments, and elements whose text no one reads, are left out.
 */
export function readHtml(html: string): HtmlElement {
  const root: HtmlElement = { tag: "body", attributes: {}, children: [] };
  const open = [root];
  const endless = new Set<string>();
  const part = new RegExp(parts, "g");
  for (let found = part.exec(html); found !== null; found = part.exec(html)) {
    const [, end, name = "", attributes = "", text] = found;
    const tag = name.toLowerCase();
    if (text !== undefined) open.at(-1)?.children.push(decodeReferences(text));
    else if (tag === "") continue;
    else if (end !== "") close(open, tag);
    else if (unread.test(tag)) part.lastIndex = endOf(html, tag, part.lastIndex, endless);
    else start(open, { tag, attributes: readAttributes(attributes), children: [] });
  }
  return root;
}

/** A comment or an instruction; a tag; text. */
const parts =
  /<!(?:--[\s\S]*?(?:-->|$)|[^>]*(?:>|$))|<\?[^>]*(?:>|$)|<(\/?)([a-z][^\s/>]*)((?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^"'>])*)(?:>|$)|([^<]+|<)/i;

const unread = /^(script|style|title|xml|svg|math|template|noscript|iframe|object|select|textarea)$/;

const empty = /^(area|base|br|col|embed|hr|img|input|link|meta|source|wbr|o:p)$/;

/** Elements that end a paragraph which was not closed. */
const endsParagraph = /^(p|h[1-6]|div|ul|ol|li|table|tr|td|th|blockquote|pre|hr|section|article)$/;

/** Where text that is not read ends: behind its end tag, or at once if it has none. Such tags are added to `endless`. */
function endOf(html: string, tag: string, from: number, endless: Set<string>): number {
  if (endless.has(tag)) return from;
  const end = new RegExp(`</${tag}\\s*>`, "gi");
  end.lastIndex = from;
  if (end.test(html)) return end.lastIndex;
  endless.add(tag);
  return from;
}

function start(open: HtmlElement[], element: HtmlElement): void {
  const { tag } = element;
  if (endsParagraph.test(tag) && open.at(-1)?.tag === "p") open.pop();
  if (/^(li|tr|td|th)$/.test(tag) && open.at(-1)?.tag === tag) open.pop();
  open.at(-1)?.children.push(element);
  if (!empty.test(tag) && open.length < MAX_OPEN) open.push(element);
}

function close(open: HtmlElement[], tag: string): void {
  const index = open.findLastIndex((element) => element.tag === tag);
  if (index > 0) open.length = index;
}

function readAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = "", , double, single, bare] of text.matchAll(
    /([^\s=/"']+)(\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?/g,
  )) {
    attributes[name.toLowerCase()] ??= decodeReferences(double ?? single ?? bare ?? "");
  }
  return attributes;
}

/** Browsers, Word and Docs write these names; other characters stand for themselves or have a number. */
const named: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  ensp: " ",
  emsp: " ",
  thinsp: " ",
  shy: "",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  laquo: "«",
  raquo: "»",
  bull: "•",
  middot: "·",
  times: "×",
  deg: "°",
  frac12: "½",
  pound: "£",
  euro: "€",
  copy: "©",
  reg: "®",
  trade: "™",
};

function decodeReferences(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z0-9]{2,8}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return named[name] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}
