import type { CardPicture, CardPost } from "#app/features/blog/blog-section.tsx";
import type { Post } from "#app/features/blog/post.server.ts";
import { pictureHash } from "#app/server/pictures/picture-hash.server.ts";
import type { PictureSource } from "#app/server/pictures/proxied-picture.server.ts";
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

/** Pixels. The smaller copy of a picture is sharp enough on a phone; the larger one is for desktops with dense screens. */
const SMALL = 600;
const LARGE = 1_000;
const SMALL_SUFFIX = `-${SMALL}`;

/** Height of a card's picture for its width. */
const RATIO = 21 / 40;

/** Bytes of a small copy. A phone gets no heavier picture. */
export const MAX_SMALL = 60 * 1_024;

/**
 * The width of a picture on its card. Below the desktop's columns it is up to 550 pixels, and the small copy is sharp enough:
 * said to be this wide, browsers choose that one on screens with up to four times the pixels.
 */
const BELOW_DESKTOP = "150px";
const SIZES = `(min-width: 992px) 366px, ${BELOW_DESKTOP}`;

/** For a picture whose only other copy is the original. Said to be this wide, desktops choose that one. */
const ORIGINAL_SIZES = `(min-width: 992px) ${LARGE}px, ${BELOW_DESKTOP}`;

/** Those of which a server makes copies are offered in two widths; others as they are, and small where that can be had. */
export async function cardPicture(sourceUrl: string, description = ""): Promise<CardPicture> {
  const path = `${PICTURES_PATH}/${await pictureHash(sourceUrl)}`;
  const alt = description === "" ? {} : { alt: description };
  const small = path + SMALL_SUFFIX;
  const [large, sizes] = hasCopies(sourceUrl) ? [`${path}-${LARGE}`, SIZES] : [path, ORIGINAL_SIZES];
  return { sizes, srcSet: `${small} ${SMALL}w, ${large} ${LARGE}w`, src: small, ...alt };
}

/**
 * The addresses to try, in order: smaller copies of the picture, then the original. For the small copy, none that is too heavy
 * for a phone. Null if the name is not one of this picture.
 *
 * @param format the best one that the browser shows. Large copies are WebP: AVIF takes Ghost seconds, and another of
 *   Cloudflare's transformations
 */
export function sourcesOf(
  name: string,
  { sourceUrl, hash, format }: { sourceUrl: string; hash: string; format: "avif" | "webp" },
): PictureSource[] | null {
  if (name === hash + SMALL_SUFFIX) {
    const copies = [...new Set([format, "webp"] as const)].flatMap((format) => copyOf(sourceUrl, SMALL, format));
    return [...copies, ...originals(sourceUrl, SMALL, format)].map((source) => ({ ...source, maxBytes: MAX_SMALL }));
  }
  const copies = copyOf(sourceUrl, LARGE, "webp");
  if (name === hash || (name === `${hash}-${LARGE}` && copies.length > 0)) {
    return [...(name === hash ? [] : copies), ...originals(sourceUrl, LARGE, "webp")];
  }
  return null;
}

/** Whether it is the name of a picture's small copy. */
export function isSmall(name: string): boolean {
  return name.endsWith(SMALL_SUFFIX);
}

/** The original, made smaller by Cloudflare if that works, and as it is. */
function originals(sourceUrl: string, width: number, format: "avif" | "webp"): PictureSource[] {
  const plain = { url: sourceUrl };
  return sourceUrl.startsWith("https:") ? [{ url: sourceUrl, image: transformation(width, format) }, plain] : [plain];
}

/**
 * A still picture, cropped to the card and never enlarged.
 * https://developers.cloudflare.com/images/optimization/features/
 */
function transformation(width: number, format: "avif" | "webp"): RequestInitCfPropertiesImage {
  return { width, height: Math.round(width * RATIO), fit: "crop", format, quality: 60, anim: false };
}

function copyOf(sourceUrl: string, width: number, format: "avif" | "webp"): PictureSource[] {
  const url = copyUrl(sourceUrl, width, format);
  return url === null ? [] : [{ url, type: `image/${format}` }];
}

/** Whether its server makes smaller copies: it was uploaded to a Ghost, or is one of Unsplash's. */
export function hasCopies(sourceUrl: string): boolean {
  return copyUrl(sourceUrl, LARGE, "webp") !== null;
}

/** The URL of a smaller copy, which a Ghost makes of its uploads and Unsplash of its photographs; null for other pictures. */
function copyUrl(sourceUrl: string, width: number, format: "avif" | "webp"): string | null {
  const url = new URL(sourceUrl);
  if (url.host === "images.unsplash.com") {
    // https://unsplash.com/documentation#dynamically-resizable-images
    const [w, h] = [width, Math.round(width * RATIO)].map(String);
    for (const [key, value] of Object.entries({ w, h, fit: "crop", fm: format, q: "50" }))
      url.searchParams.set(key, value ?? "");
    return url.href;
  }
  // Every Ghost makes copies of these widths, with any theme.
  // https://github.com/TryGhost/Ghost/blob/main/ghost/core/core/shared/config/overrides.json (`contentImageSizes`)
  const [, folder, file] = /^(.*\/content\/images\/)(?!size\/|format\/)(.+)$/.exec(url.pathname) ?? [];
  if (folder === undefined || file === undefined) return null;
  url.pathname = `${folder}size/w${width}/format/${format}/${file}`;
  return url.href;
}
