/** What emails and letters consist of. {@link renderBlocks} turns it into HTML, text or page content. */
export type Block =
  | { type: "heading"; level: 1 | 2 | 3; children: Inline[] }
  /** `isTight`: begins a list item, beside its mark. */
  | { type: "paragraph"; isTight?: true; children: Inline[] }
  /** Email scanners open links, so a button must lead to a page and change nothing. */
  | { type: "button"; address: string; children: Inline[] }
  | { type: "links"; children: Link[] }
  | Image
  /** `start`: the first number; null for a list with bullets. */
  | { type: "list"; start: number | null; children: ListItem[] }
  | { type: "quote"; children: Block[] }
  | { type: "rule" };

export interface Image {
  type: "image";
  source: string;
  alt: string;
  address: string | null;
  /** Pixels, if they are known. */
  size?: { width: number; height: number };
}

export interface ListItem {
  type: "item";
  children: Block[];
}

export type Inline = string | { type: "line-break" } | { type: "strong" | "emphasis"; children: Inline[] } | Link;

export interface Link {
  type: "link";
  address: string;
  children: Inline[];
}

export function paragraph(...children: Inline[]): Block {
  return { type: "paragraph", children };
}

export function lines(text: string): Inline[] {
  const [first = "", ...others] = text.split("\n");
  return [first, ...others.flatMap((line): Inline[] => [{ type: "line-break" }, line])].filter((part) => part !== "");
}

export function button(label: string, address: string): Block {
  return { type: "button", address, children: [label] };
}

export function links(...children: Link[]): Block {
  return { type: "links", children };
}

export function link(label: string, address: string): Link {
  return { type: "link", address, children: [label] };
}

/** Without emphasis and addresses. */
export function textOf(parts: Inline[]): string {
  const texts = parts.map((part) => {
    if (typeof part === "string") return part;
    return part.type === "line-break" ? "\n" : textOf(part.children);
  });
  return texts.join("");
}

type Node = Exclude<Block | ListItem | Inline, string>;

export type Components<Output> = {
  [Type in Node["type"]]: (children: Output[], node: Extract<Node, { type: Type }>) => Output;
} & { text: (text: string) => Output };

export function renderBlocks<Output>(nodes: (Node | string)[], components: Components<Output>): Output[] {
  return nodes.map((node) => {
    if (typeof node === "string") return components.text(node);
    const children = "children" in node ? renderBlocks(node.children, components) : [];
    const component = components[node.type] as (children: Output[], node: Node) => Output;
    return component(children, node);
  });
}
