import type { Block, Inline, ListItem } from "#app/email/blocks/blocks.ts";

type Node = Exclude<Block | ListItem | Inline, string>;

/** What each type of node becomes, from its rendered children: a set of functions for each output. */
export type Components<Output> = {
  [Type in Node["type"]]: (children: Output[], node: Extract<Node, { type: Type }>) => Output;
} & { text: (text: string) => Output };

/** Walks a tree once. */
export function renderBlocks<Output>(nodes: (Node | string)[], components: Components<Output>): Output[] {
  return nodes.map((node) => {
    if (typeof node === "string") return components.text(node);
    const children = "children" in node ? renderBlocks(node.children, components) : [];
    const component = components[node.type] as (children: Output[], node: Node) => Output;
    return component(children, node);
  });
}
