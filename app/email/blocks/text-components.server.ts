import { type Components, renderBlocks } from "#app/email/blocks/render-blocks.ts";

/** The text version of emails. */
export const textComponents: Components<string> = {
  text: (text) => text.replaceAll("\n", " "),
  "line-break": () => "\n",
  strong: (parts) => parts.join(""),
  emphasis: (parts) => parts.join(""),
  link(parts, { address }) {
    const text = parts.join("");
    if (text === address || `mailto:${text}` === address) return text;
    return `${text} (${address.replace(/^mailto:/i, "")})`;
  },
  heading(parts, { level }) {
    const text = parts.join("");
    if (level === 3) return text;
    const width = Math.max(...text.split("\n").map((line) => line.length));
    return `${text}\n${(level === 1 ? "=" : "-").repeat(Math.min(width, 60))}`;
  },
  paragraph: (parts) => parts.join(""),
  button: labelled,
  links: (_, { children }) =>
    children.map((link) => labelled(renderBlocks(link.children, textComponents), link)).join("\n"),
  image: (_, { alt, address }) => (address === null ? `[${alt}]` : `[${alt}] ${address}`),
  list: (items, { start }) =>
    items.map((item, index) => prefixed(item, start === null ? "- " : `${start + index}. `)).join("\n"),
  item(parts, { children }) {
    // Lists stand close, as they were written; anything else after the first paragraph stands apart.
    const gaps = children.map(({ type }, index) => (index === 0 ? "" : type === "list" ? "\n" : "\n\n"));
    return parts.map((part, index) => gaps[index] + part).join("");
  },
  quote: (parts) => prefixed(parts.join("\n\n"), "> ", "> "),
  rule: () => "* * *",
};

function labelled(label: string[], { address }: { address: string }): string {
  return `${label.join("")}: ${address}`;
}

function prefixed(text: string, first: string, others = " ".repeat(first.length)): string {
  const [beginning, ...lines] = text.split("\n");
  return [first + beginning, ...lines.map((line) => others + line)].map((line) => line.trimEnd()).join("\n");
}
