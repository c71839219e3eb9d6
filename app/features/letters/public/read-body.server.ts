import type { Block, Image } from "#app/email/blocks/blocks.ts";
import { fillSiteAddress } from "#app/features/letters/send/counted-link.ts";
import { placeholders } from "#app/features/letters/send/letter-problems.server.ts";
import { readLetter } from "#app/features/letters/send/parse-letter.server.ts";
import { pictureHash } from "#app/server/pictures/picture-hash.server.ts";
import { fillGreetings } from "#app/waitlist/questions/greetings.server.ts";

/**
 * Reads a letter's body for strangers: pictures come from this origin, links to unsubscribe, which belong to one recipient,
 * are left out, and greetings say what people without an answer read.
 *
 * @param picturesPath the folder of the letter's pictures on this origin
 */
export async function readPublicBody(body: string, siteUrl: string, picturesPath: string): Promise<Block[]> {
  const { blocks: read } = readLetter(body, (address) =>
    address === placeholders.unsubscribe ? null : fillSiteAddress(address, siteUrl, null),
  );
  const blocks: Block[] = JSON.parse(JSON.stringify(read), (_, value) =>
    typeof value === "string" ? fillGreetings(value, null) : value,
  );
  for (const image of imagesIn(blocks)) {
    // Those of this site have their own addresses. The others are fetched for visitors.
    const isOwn = image.size !== undefined;
    image.source = isOwn ? image.source.slice(siteUrl.length) : `${picturesPath}/${await pictureHash(image.source)}`;
  }
  return blocks;
}

/** Letters, the latest asked for, whose pictures an isolate remembers: parsing one takes up to hundreds of milliseconds. */
export const MAX_REMEMBERED = 20;

/** By the letter's body, so that they are never out of date. */
const remembered = new Map<string, ReadonlyMap<string, string>>();

/** The addresses of the pictures in a letter's body, by their names on this origin. */
export async function letterPictures(body: string): Promise<ReadonlyMap<string, string>> {
  const known = remembered.get(body);
  const pictures = known ?? new Map(await Promise.all(othersIn(body).map(named)));
  remembered.delete(body);
  remembered.set(body, pictures);
  const [oldest] = remembered.keys();
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  return pictures;
}

async function named({ source }: Image): Promise<[name: string, source: string]> {
  return [await pictureHash(source), source];
}

/** The pictures of other sites. */
function othersIn(body: string): Image[] {
  return imagesIn(readLetter(body).blocks).filter(({ size }) => size === undefined);
}

function imagesIn(blocks: Block[]): Image[] {
  return blocks.flatMap((block) => {
    if (block.type === "image") return [block];
    if (block.type === "quote") return imagesIn(block.children);
    return block.type === "list" ? block.children.flatMap(({ children }) => imagesIn(children)) : [];
  });
}
