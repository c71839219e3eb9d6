import type { ReactNode } from "react";
import type { LetterBlock, LetterInline } from "#app/email/letters/letter-tree.ts";
import {
  EmailImage,
  EmailList,
  EmailListItem,
  EmailQuote,
  EmailRule,
} from "#app/email/templates/email-blocks.server.tsx";
import { EmailButton, EmailHeading, EmailLink, EmailParagraph } from "#app/email/templates/email-layout.server.tsx";

interface LetterProps {
  blocks: LetterBlock[];
  /** Fills the placeholders of an address. */
  fill: (address: string) => string;
}

/** A letter's body, made of the components of all emails. */
export function LetterBody({ blocks, fill }: LetterProps): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: static markup, where nothing moves
  return blocks.map((block, index) => <Block key={index} block={block} fill={fill} />);
}

function Block({ block, fill }: { block: LetterBlock; fill: LetterProps["fill"] }): ReactNode {
  switch (block.type) {
    case "heading":
      return <EmailHeading level={block.level}>{inlines(block.children, fill)}</EmailHeading>;
    case "paragraph":
      return <EmailParagraph>{inlines(block.children, fill)}</EmailParagraph>;
    case "button":
      return <EmailButton href={fill(block.address)}>{inlines(block.children, fill)}</EmailButton>;
    case "image":
      return <EmailImage source={block.source} alt={block.alt} href={block.address && fill(block.address)} />;
    case "list":
      return <List block={block} fill={fill} />;
    case "quote":
      return (
        <EmailQuote>
          <LetterBody blocks={block.children} fill={fill} />
        </EmailQuote>
      );
    case "rule":
      return <EmailRule />;
  }
}

function List({ block, fill }: { block: Extract<LetterBlock, { type: "list" }>; fill: LetterProps["fill"] }) {
  return (
    <EmailList start={block.start}>
      {block.items.map((item, index) => {
        // The paragraph that begins an item stands beside its mark.
        const [first, ...rest] = item;
        const beginning = first?.type === "paragraph" ? inlines(first.children, fill) : null;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: static markup, where nothing moves
          <EmailListItem key={index}>
            {beginning}
            <LetterBody blocks={beginning === null ? item : rest} fill={fill} />
          </EmailListItem>
        );
      })}
    </EmailList>
  );
}

function inlines(nodes: LetterInline[], fill: LetterProps["fill"]): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: static markup, where nothing moves
  return nodes.map((node, index) => <Inline key={index} node={node} fill={fill} />);
}

function Inline({ node, fill }: { node: LetterInline; fill: LetterProps["fill"] }): ReactNode {
  switch (node.type) {
    case "text":
      return node.text;
    case "line-break":
      return <br />;
    case "strong":
      return <strong>{inlines(node.children, fill)}</strong>;
    case "emphasis":
      return <em>{inlines(node.children, fill)}</em>;
    case "link":
      return <EmailLink href={fill(node.address)}>{inlines(node.children, fill)}</EmailLink>;
  }
}
