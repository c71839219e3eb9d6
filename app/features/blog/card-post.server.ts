import type { CardPicture, CardPost } from "#app/features/blog/blog-section.tsx";
import type { Post } from "#app/features/blog/post.server.ts";
import { pictureHash } from "#app/server/pictures/picture-hash.server.ts";
import { britishDate } from "#app/server/time/british-date.ts";

/** The server formats the date: a browser could differ, which would break hydration. */
export async function toCardPost(post: Post): Promise<CardPost> {
  const { title, excerpt, url, featureImage, featureImageAlt, publishedAt, authors, tags } = post;
  return {
    title,
    excerpt,
    url,
    picture: featureImage === null ? null : await cardPicture(featureImage, featureImageAlt),
    date: publishedAt === null ? null : britishDate(Date.parse(publishedAt)),
    authors: authors.join(", "),
    tags,
  };
}

export const PICTURES_PATH = "/blog/pictures";

/**
 * Widths in pixels of the copies that every Ghost makes of its uploads on request, with any theme.
 * https://github.com/TryGhost/Ghost/blob/main/ghost/core/core/shared/config/overrides.json (`contentImageSizes`)
 */
const WIDTHS = [600, 1000] as const;

/**
 * The width of a picture on its card: a third of the page, 40 % of a row, or whole (`deferred.css`). On phones, where it is
 * about 360 pixels wide, less than that: the smallest copy is sharp enough even on a screen with three times the pixels,
 * and the next one is more than twice as heavy.
 */
const SIZES = "(min-width: 992px) 366px, (min-width: 576px) 38vw, 200px";

/** Uploads are offered in the widths that Ghost has; other pictures as they are. */
export async function cardPicture(sourceUrl: string, description = ""): Promise<CardPicture> {
  const path = `${PICTURES_PATH}/${await pictureHash(sourceUrl)}`;
  const alt = description === "" ? {} : { alt: description };
  if (resizedUrl(sourceUrl, WIDTHS[0]) === null) return { src: path, ...alt };
  const srcSet = WIDTHS.map((width) => `${path}-${width} ${width}w`).join(", ");
  return { sizes: SIZES, srcSet, src: `${path}-${WIDTHS[0]}`, ...alt };
}

/** The addresses to try, in order: Ghost's smaller copy, then the original. Null: it is no name of this picture. */
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
