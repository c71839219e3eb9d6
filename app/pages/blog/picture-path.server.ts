import { pictureHash } from "#app/server/pictures/picture-hash.server.ts";

export const PICTURES_PATH = "/blog/pictures";

/**
 * Widths in pixels of the copies that every Ghost makes of its uploads on request, with any theme.
 * https://github.com/TryGhost/Ghost/blob/main/ghost/core/core/shared/config/defaults.json (`contentImageSizes`)
 */
const WIDTHS = [600, 1000] as const;

/** Where a card's picture is on this origin, as attributes of its `img`. */
export interface CardPicture {
  src: string;
  srcSet?: string;
  sizes?: string;
}

/** The width of a picture on its card: whole, 40 % of a row, or a third of the page (`blog.css`). */
const SIZES = "(min-width: 992px) 366px, (min-width: 576px) 38vw, 92vw";

/** Uploads are offered in the widths that Ghost has; other pictures as they are. */
export async function cardPicture(sourceUrl: string): Promise<CardPicture> {
  const path = `${PICTURES_PATH}/${await pictureHash(sourceUrl)}`;
  if (resizedUrl(sourceUrl, WIDTHS[0]) === null) return { src: path };
  const srcSet = WIDTHS.map((width) => `${path}-${width} ${width}w`).join(", ");
  return { sizes: SIZES, srcSet, src: `${path}-${WIDTHS[0]}` };
}

/**
 * The addresses to try for a name, in order, if it is a name of this picture: Ghost's smaller copy, then the original.
 *
 * @param hash of the source URL
 */
export function sourcesOf(name: string, sourceUrl: string, hash: string): string[] | null {
  if (name === hash) return [sourceUrl];
  const width = WIDTHS.find((width) => name === `${hash}-${width}`);
  const resized = width === undefined ? null : resizedUrl(sourceUrl, width);
  return resized === null ? null : [resized, sourceUrl];
}

/** The URL of Ghost's smaller WebP copy of an upload; null for other pictures. */
function resizedUrl(sourceUrl: string, width: number): string | null {
  const url = new URL(sourceUrl);
  const [, folder, file] = /^(.*\/content\/images\/)(?!size\/|format\/)(.+)$/.exec(url.pathname) ?? [];
  if (folder === undefined || file === undefined) return null;
  url.pathname = `${folder}size/w${width}/format/webp/${file}`;
  return url.href;
}
