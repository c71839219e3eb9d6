import { createElement as element, Fragment, type ReactNode } from "react";
import { type Block, type Components, renderBlocks } from "#app/email/blocks/blocks.ts";

/** A letter's body as page content. The subject is the page's main heading, so the body's begin one level below. */
export function LetterBody({ blocks }: { blocks: Block[] }): ReactNode {
  return element(Fragment, null, ...renderBlocks(blocks, pageComponents));
}

const pageComponents: Components<ReactNode> = {
  text: (text) => text,
  "line-break": () => <br />,
  strong: (parts) => element("strong", null, ...parts),
  emphasis: (parts) => element("em", null, ...parts),
  link: (parts, { address }) => element("a", { href: address, rel: "noopener" }, ...parts),
  heading: (parts, { level }) => element(`h${level + 1}`, null, ...parts),
  paragraph: (parts, { isTight }) => element(isTight ? Fragment : "p", null, ...parts),
  button: (parts, { address }) => (
    <p>{element("a", { className: "button", href: address, rel: "noopener" }, ...parts)}</p>
  ),
  links: (parts) => element("p", null, ...parts),
  image(_, { source, alt, address }) {
    const picture = <img src={source} alt={alt} loading="lazy" decoding="async" />;
    if (address === null) return picture;
    return (
      <a href={address} rel="noopener">
        {picture}
      </a>
    );
  },
  list: (items, { start }) => (start === null ? element("ul", null, ...items) : element("ol", { start }, ...items)),
  item: (parts) => element("li", null, ...parts),
  quote: (parts) => element("blockquote", null, ...parts),
  rule: () => <hr />,
};
