/**
 * What Gmail (its web page and apps, with a Google account), Outlook for Windows (2007 to 2019) and Apple Mail (macOS, iOS)
 * show of the HTML and CSS that this site's emails consist of: `y`, `n`, or `a` for partly.
 *
 * Copied by hand from https://www.caniemail.com, as of 29 June 2026 (commit 6b086a3 of github.com/hteumeuleu/caniemail).
 * `page` is the name of its page: https://www.caniemail.com/features/css-padding/
 */
export interface Feature {
  page: string;
  gmail: Level;
  outlook: Level;
  apple: Level;
  /** Which uses work in all three; absent: all of them, or none where a level is not `y`. */
  works?: (use: Use) => boolean;
  /** What a client shows that has not got it, if a reader loses nothing by that. */
  otherwise?: string;
}

type Level = "y" | "a" | "n";

/** One use of a feature in an email. */
export interface Use {
  element: string;
  /** The value of the CSS property or the attribute; empty for an element. */
  value: string;
  attributes: Map<string, string>;
}

const y = { gmail: "y", outlook: "y", apple: "y" } as const;
const isNarrowBorder = ({ value }: Use) => Number(/(\d+)px/.exec(value)?.[1] ?? 0) <= 8;
const border: Feature = { page: "css-border", ...y, outlook: "a", works: isNarrowBorder };
const hasWidth = ({ element, attributes }: Use) => element === "img" && /^\d+$/.test(attributes.get("width") ?? "");

export const properties: Record<string, Feature> = {
  "background-color": { page: "css-background-color", ...y },
  border,
  "border-top": border,
  "border-bottom": border,
  "border-left": border,
  "border-radius": { page: "css-border-radius", ...y, outlook: "n", otherwise: "square corners" },
  color: { page: "css-modern-color", ...y, works: ({ value }) => /^#[0-9a-f]{6}$/.test(value) },
  display: {
    page: "css-display",
    ...y,
    outlook: "a",
    works: ({ element, value }) => value === "none" && !["img", "table"].includes(element),
    otherwise: "an image or a link in its line",
  },
  font: { page: "css-font", ...y },
  height: { page: "css-height", ...y, outlook: "a", works: ({ element }) => element === "img" },
  margin: {
    page: "css-margin",
    gmail: "a",
    outlook: "a",
    apple: "y",
    works: ({ element, value }) => !/-|auto/.test(value) && (value === "0" || !["span", "body"].includes(element)),
  },
  "max-height": {
    page: "css-max-height",
    ...y,
    outlook: "n",
    otherwise: "nothing: the element is not displayed anyway",
  },
  "max-width": {
    page: "css-max-width",
    ...y,
    outlook: "a",
    works: (use) => use.element === "table" || hasWidth(use),
  },
  overflow: { page: "css-overflow", gmail: "a", outlook: "n", apple: "a", otherwise: "square corners" },
  padding: {
    page: "css-padding",
    ...y,
    outlook: "a",
    works: ({ element, value }) => element === "td" || value === "0",
  },
  "text-decoration": { page: "css-text-decoration", ...y, outlook: "a", works: ({ value }) => value === "none" },
  "vertical-align": { page: "css-vertical-align", ...y },
  width: { page: "css-width", ...y, outlook: "a", works: hasWidth },
};

/** In order of their names. Elements that caniemail has no page for are in {@link plainElements}. */
export const elements: Record<string, Feature> = {
  blockquote: { page: "html-blockquote", ...y },
  body: { page: "html-body", gmail: "a", outlook: "y", apple: "y", otherwise: "a div with the same style" },
  div: { page: "html-div", ...y },
  h1: { page: "html-h1-h6", ...y },
  h2: { page: "html-h1-h6", ...y },
  h3: { page: "html-h1-h6", ...y },
  hr: { page: "html-hr", ...y },
  img: { page: "html-img", ...y, works: hasWidth },
  ol: { page: "html-lists", gmail: "a", outlook: "a", apple: "y", otherwise: "a list with other spaces" },
  p: { page: "html-p", ...y },
  picture: { page: "html-picture", gmail: "n", outlook: "n", apple: "a", otherwise: "the img in it" },
  source: { page: "html-picture", gmail: "n", outlook: "n", apple: "a", otherwise: "the img beside it" },
  span: { page: "html-span", ...y },
  strong: { page: "html-strong", ...y },
  style: { page: "html-style", gmail: "a", outlook: "a", apple: "y", otherwise: "the light scheme" },
  table: { page: "html-table", ...y },
  ul: { page: "html-lists", gmail: "a", outlook: "a", apple: "y", otherwise: "a list with other spaces" },
};

export const plainElements = ["a", "br", "em", "head", "html", "li", "meta", "td", "title", "tr"];

export const attributes: Record<string, Feature> = {
  align: { page: "html-align", ...y },
  cellpadding: { page: "html-cellpadding", ...y },
  cellspacing: { page: "html-cellspacing", ...y },
  lang: { page: "html-lang", ...y },
  media: {
    page: "css-at-media-prefers-color-scheme",
    gmail: "n",
    outlook: "n",
    apple: "y",
    otherwise: "the light scheme",
  },
  role: { page: "html-role", ...y },
  src: { page: "image-png", ...y, works: ({ value }) => !/\.(svg|webp|avif)$/.test(value) },
  srcset: { page: "image-png", ...y, works: ({ value }) => !/\.(svg|webp|avif)$/.test(value) },
  width: {
    page: "html-width",
    ...y,
    outlook: "a",
    works: ({ element, value }) => (element === "table" ? value === "100%" : /^\d+$/.test(value)),
  },
};

export const plainAttributes = ["alt", "charset", "class", "content", "height", "href", "name", "start", "style"];

/** What is wrong with a use of a feature, or null. */
export function problemOf(feature: Feature | undefined, use: Use): string | null {
  if (feature === undefined) return "is not in the table: look it up on caniemail.com";
  const isFull = [feature.gmail, feature.outlook, feature.apple].every((level) => level === "y");
  const works = feature.works === undefined ? isFull : feature.works(use);
  return works || feature.otherwise !== undefined
    ? null
    : `does not work there: caniemail.com/features/${feature.page}`;
}

/** What an email has that Gmail, Outlook for Windows or Apple Mail do not show. */
export async function supportProblems(html: string): Promise<string[]> {
  const problems = new Set<string>();
  const check = (name: string, problem: string | null) => problem !== null && problems.add(`${name} ${problem}`);
  const onElement = (element: Element) => {
    // Pairs, although the type calls them `Attr`.
    const given = new Map(
      Array.from(element.attributes as unknown as Iterable<string[]>, ([name = "", value = ""]) => [
        name,
        value.replaceAll("&quot;", '"'),
      ]),
    );
    const use = { element: element.tagName, value: "", attributes: given };
    if (!plainElements.includes(use.element)) check(`<${use.element}>`, problemOf(elements[use.element], use));
    for (const [name, value] of given) {
      if (plainAttributes.includes(name)) continue;
      check(`${name}="${value}" on <${use.element}>`, problemOf(attributes[name], { ...use, value }));
    }
    for (const declaration of (given.get("style") ?? "").split(";").filter(Boolean)) {
      const [, name = "", value = ""] = /^([\w-]+):(.+)$/.exec(declaration) ?? [];
      check(`${declaration} on <${use.element}>`, problemOf(properties[name], { ...use, value }));
    }
  };
  await new HTMLRewriter().on("*", { element: onElement }).transform(new Response(html)).text();
  // Gmail ignores a style sheet of more than 16 KB.
  if ((/<style>(.*)<\/style>/s.exec(html)?.[1]?.length ?? 0) >= 16_384) problems.add("the style sheet is too long");
  return [...problems];
}
