import { words } from "#tests/support/words.ts";

/** One use of a feature in an email. */
interface Use {
  element: string;
  /** The value of the CSS property or the attribute; empty for an element. */
  value: string;
  attributes: Map<string, string>;
}

/**
 * Whether a feature works in Gmail (its web page and apps, with a Google account), Outlook for Windows (2007 to 2019) and
 * Apple Mail (macOS, iOS): `true`, or which uses do; or what a client shows that has not got it, if a reader loses nothing.
 *
 * Copied by hand from https://www.caniemail.com, as of 29 June 2026 (commit 6b086a3 of github.com/hteumeuleu/caniemail).
 */
type Support = true | ((use: Use) => boolean) | string;

const isNarrowBorder = ({ value }: Use) => Number(/(\d+)px/.exec(value)?.[1] ?? 0) <= 8;
const hasWidth = ({ element, attributes }: Use) => element === "img" && /^\d+$/.test(attributes.get("width") ?? "");
const isOldFormat = ({ value }: Use) => !/\.(svg|webp|avif)$/.test(value);

const each = (names: string, support: Support) => Object.fromEntries(words(names).map((name) => [name, support]));

const properties: Record<string, Support> = {
  ...each("background-color font vertical-align", true),
  ...each("border border-top border-bottom border-left", isNarrowBorder),
  ...each("border-radius overflow", "square corners"),
  color: ({ value }) => /^#[0-9a-f]{6}$/.test(value),
  display: "an image or a link in its line",
  height: ({ element }) => element === "img",
  margin: ({ element, value }) => !/-|auto/.test(value) && (value === "0" || !["span", "body"].includes(element)),
  "max-height": "nothing: the element is not displayed anyway",
  "max-width": (use) => use.element === "table" || hasWidth(use),
  padding: ({ element, value }) => element === "td" || value === "0",
  "text-decoration": ({ value }) => value === "none",
  width: hasWidth,
};

/** In these two tables, the second row has those that caniemail has no page for. */
const elements: Record<string, Support> = {
  ...each("blockquote div h1 h2 h3 hr p span strong table", true),
  ...each("a br em head html li meta td title tr", true),
  ...each("ol ul", "a list with other spaces"),
  body: "a div with the same style",
  img: hasWidth,
  picture: "the img in it",
  source: "the img beside it",
  style: "the light scheme",
};

const attributes: Record<string, Support> = {
  ...each("align cellpadding cellspacing lang role", true),
  ...each("alt charset class content height href name start style", true),
  ...each("src srcset", isOldFormat),
  media: "the light scheme",
  width: ({ element, value }) => (element === "table" ? value === "100%" : /^\d+$/.test(value)),
};

/** What an email has that Gmail, Outlook for Windows or Apple Mail do not show. */
export async function supportProblems(html: string): Promise<string[]> {
  const problems = new Set<string>();
  const check = (what: string, support: Support | undefined, use: Use) => {
    if (support === undefined) problems.add(`${what} is not in the table: look it up on caniemail.com`);
    else if (typeof support === "function" && !support(use)) problems.add(`${what} does not work everywhere`);
  };
  const onElement = (element: Element) => {
    // Pairs, although the type calls them `Attr`.
    const pairs = [...(element.attributes as unknown as Iterable<string[]>)];
    const given = new Map(pairs.map(([name = "", value = ""]) => [name, value.replaceAll("&quot;", '"')]));
    const use = { element: element.tagName, value: "", attributes: given };
    check(`<${use.element}>`, elements[use.element], use);
    for (const [name, value] of given)
      check(`${name}="${value}" on <${use.element}>`, attributes[name], { ...use, value });
    for (const declaration of (given.get("style") ?? "").split(";").filter(Boolean)) {
      const [, name = "", value = ""] = /^([\w-]+):(.+)$/.exec(declaration) ?? [];
      check(`${declaration} on <${use.element}>`, properties[name], { ...use, value });
    }
  };
  await new HTMLRewriter().on("*", { element: onElement }).transform(new Response(html)).text();
  // Gmail ignores a style sheet of more than 16 KB.
  if ((/<style>(.*)<\/style>/s.exec(html)?.[1]?.length ?? 0) >= 16_384) problems.add("the style sheet is too long");
  return [...problems];
}
