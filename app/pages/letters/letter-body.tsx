import type { ReactNode } from "react";
import type { LetterBlock, LetterInline } from "#app/email/letters/letter-tree.ts";

/** A letter's body as page content. The subject is the page's main heading, so the body's begin one level below. */
export function LetterBody({ blocks }: { blocks: LetterBlock[] }): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the content never changes
  return blocks.map((block, index) => <Block key={index} block={block} />);
}

function Block({ block }: { block: LetterBlock }): ReactNode {
  switch (block.type) {
    case "heading": {
      const Heading = `h${block.level + 1}` as "h2";
      return (
        <Heading>
          <Inlines nodes={block.children} />
        </Heading>
      );
    }
    case "paragraph":
      return (
        <p>
          <Inlines nodes={block.children} />
        </p>
      );
    case "button":
      return (
        <p>
          <a className="button" href={block.address} rel="noopener">
            <Inlines nodes={block.children} />
          </a>
        </p>
      );
    case "image":
      return <Picture {...block} />;
    case "list":
      return <List {...block} />;
    case "quote":
      return (
        <blockquote>
          <LetterBody blocks={block.children} />
        </blockquote>
      );
    case "rule":
      return <hr />;
  }
}

function Picture({ source, alt, address }: Extract<LetterBlock, { type: "image" }>) {
  const picture = <img src={source} alt={alt} loading="lazy" decoding="async" />;
  if (address === null) return picture;
  return (
    <a href={address} rel="noopener">
      {picture}
    </a>
  );
}

function List({ start, items }: Extract<LetterBlock, { type: "list" }>) {
  const content = items.map((item, index) => {
    // The paragraph that begins an item stands beside its mark.
    const [first, ...rest] = item;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the content never changes
      <li key={index}>
        {first?.type === "paragraph" ? <Inlines nodes={first.children} /> : null}
        <LetterBody blocks={first?.type === "paragraph" ? rest : item} />
      </li>
    );
  });
  return start === null ? <ul>{content}</ul> : <ol start={start}>{content}</ol>;
}

function Inlines({ nodes }: { nodes: LetterInline[] }): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the content never changes
  return nodes.map((node, index) => <Inline key={index} node={node} />);
}

function Inline({ node }: { node: LetterInline }): ReactNode {
  switch (node.type) {
    case "text":
      return node.text;
    case "line-break":
      return <br />;
    case "strong":
      return (
        <strong>
          <Inlines nodes={node.children} />
        </strong>
      );
    case "emphasis":
      return (
        <em>
          <Inlines nodes={node.children} />
        </em>
      );
    case "link":
      return (
        <a href={node.address} rel="noopener">
          <Inlines nodes={node.children} />
        </a>
      );
  }
}
