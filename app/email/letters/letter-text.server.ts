import type { LetterBlock, LetterInline } from "#app/email/letters/letter-tree.ts";

/** The text version of a letter's body. @param fill fills the placeholders of an address */
export function letterText(blocks: LetterBlock[], fill: (address: string) => string): string {
  return blocks.map(block).join("\n\n");

  function block(node: LetterBlock): string {
    switch (node.type) {
      case "heading": {
        const text = inlines(node.children);
        return node.level === 3 ? text : `${text}\n${(node.level === 1 ? "=" : "-").repeat(Math.min(text.length, 60))}`;
      }
      case "paragraph":
        return inlines(node.children);
      case "button":
        return `${inlines(node.children)}: ${fill(node.address)}`;
      case "image":
        return `[${node.alt}]${node.address === null ? "" : ` ${fill(node.address)}`}`;
      case "list":
        return node.items.map((item, index) => listItem(item, marker(node.start, index))).join("\n");
      case "quote":
        return prefixed(node.children.map(block).join("\n\n"), "> ", "> ");
      case "rule":
        return "* * *";
    }
  }

  /** Lists stand close, as they were written; anything else after the first paragraph stands apart. */
  function listItem(blocks: LetterBlock[], mark: string): string {
    const text = blocks.reduce((before, node, index) => {
      const gap = index === 0 ? "" : node.type === "list" ? "\n" : "\n\n";
      return before + gap + block(node);
    }, "");
    return prefixed(text, mark, " ".repeat(mark.length));
  }

  function inlines(nodes: LetterInline[]): string {
    return nodes.map(inline).join("");
  }

  function inline(node: LetterInline): string {
    switch (node.type) {
      case "text":
        return node.text.replaceAll("\n", " ");
      case "line-break":
        return "\n";
      case "link": {
        const text = inlines(node.children);
        const address = fill(node.address);
        return text === address || `mailto:${text}` === address
          ? text
          : `${text} (${address.replace(/^mailto:/i, "")})`;
      }
      default:
        return inlines(node.children);
    }
  }
}

function marker(start: number | null, index: number): string {
  return start === null ? "- " : `${start + index}. `;
}

function prefixed(text: string, first: string, others: string): string {
  return text
    .split("\n")
    .map((line, index) => `${index === 0 ? first : others}${line}`.trimEnd())
    .join("\n");
}
