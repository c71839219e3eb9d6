import { placeholders } from "#app/email/letters/letter-address.server.ts";
import type { LetterBlock, LetterInline } from "#app/email/letters/letter-tree.ts";
import { parseLetter } from "#app/email/letters/parse-letter.server.ts";
import { pictureHash } from "#app/pages/blog/picture-path.server.ts";

interface PublicContext {
  siteUrl: string;
  /** The folder of the letter's pictures on this origin. */
  picturesPath: string;
}

/**
 * Reads a letter's body for strangers: pictures come from this origin, and links to unsubscribe, which belong to one
 * recipient, are left out.
 */
export function readBody(body: string, context: PublicContext): Promise<LetterBlock[]> {
  return publicBlocks(parseLetter(body).blocks, context);
}

/** Letters, the latest asked for, whose pictures an isolate remembers: parsing one takes up to hundreds of milliseconds. */
export const MAX_REMEMBERED = 20;

/** By the letter's body, so that they are never out of date. */
const remembered = new Map<string, ReadonlyMap<string, string>>();

/** The addresses of the pictures in a letter's body, by their names on this origin. */
export async function letterPictures(body: string): Promise<ReadonlyMap<string, string>> {
  const known = remembered.get(body);
  const pictures = known ?? new Map(await Promise.all(sourcesIn(parseLetter(body).blocks).map(named)));
  remembered.delete(body);
  remembered.set(body, pictures);
  const [oldest] = remembered.keys();
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  return pictures;
}

async function named(source: string): Promise<[name: string, source: string]> {
  return [await pictureHash(source), source];
}

async function publicBlocks(blocks: LetterBlock[], context: PublicContext): Promise<LetterBlock[]> {
  const converted = await Promise.all(blocks.map((block) => publicBlock(block, context)));
  return converted.filter((block) => block !== null);
}

async function publicBlock(block: LetterBlock, context: PublicContext): Promise<LetterBlock | null> {
  const fill = (address: string) => address.replace(placeholders.site, () => context.siteUrl);
  switch (block.type) {
    case "heading":
    case "paragraph":
      return { ...block, children: publicInlines(block.children, fill) };
    case "button":
      if (block.address === placeholders.unsubscribe) return null;
      return { ...block, address: fill(block.address), children: publicInlines(block.children, fill) };
    case "image": {
      const isPersonal = block.address === placeholders.unsubscribe;
      const address = block.address === null || isPersonal ? null : fill(block.address);
      return { ...block, address, source: `${context.picturesPath}/${await pictureHash(block.source)}` };
    }
    case "list":
      return { ...block, items: await Promise.all(block.items.map((item) => publicBlocks(item, context))) };
    case "quote":
      return { ...block, children: await publicBlocks(block.children, context) };
    case "rule":
      return block;
  }
}

function publicInlines(nodes: LetterInline[], fill: (address: string) => string): LetterInline[] {
  return nodes.flatMap((node): LetterInline[] => {
    if (node.type === "text" || node.type === "line-break") return [node];
    const children = publicInlines(node.children, fill);
    if (node.type !== "link") return [{ ...node, children }];
    return node.address === placeholders.unsubscribe ? children : [{ ...node, address: fill(node.address), children }];
  });
}

function sourcesIn(blocks: LetterBlock[]): string[] {
  return blocks.flatMap((block) => {
    if (block.type === "image") return [block.source];
    if (block.type === "quote") return sourcesIn(block.children);
    return block.type === "list" ? block.items.flatMap(sourcesIn) : [];
  });
}
