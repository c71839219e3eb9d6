import type { PictureType } from "#app/server/db/schema/pictures.server.ts";

/* The address of a picture has its size, so that emails and pages know it without a query. */

const extensions: Record<PictureType, string> = { jpeg: "jpg", png: "png", webp: "webp" };

export interface AddressedPicture {
  key: string;
  type: PictureType;
  width: number;
  height: number;
}

/** The path of a picture on this site: `/pictures/0f…9a-1600x1200.jpg`. */
export function picturePath({ key, type, width, height }: AddressedPicture): `/${string}` {
  return `/pictures/${key}-${width}x${height}.${extensions[type]}`;
}

/** The key and the size in a path; null if it is none of a picture. */
export function readPicturePath(path: string): Pick<AddressedPicture, "key" | "width" | "height"> | null {
  const found = /^\/pictures\/([0-9a-f]{32})-([1-9]\d{0,3})x([1-9]\d{0,3})\.(?:jpg|png|webp)$/.exec(path);
  if (found === null) return null;
  const [, key = "", width, height] = found;
  return { key, width: Number(width), height: Number(height) };
}

/** The Markdown that shows a picture in a letter. @param alt its description, which may have any characters */
export function pictureMarkdown(alt: string, picture: AddressedPicture): string {
  const text = alt.replace(/\s+/g, " ").replace(/[\\`*_{}[\]<>&!]/g, "\\$&");
  return `![${text}]({{site}}${picturePath(picture)})`;
}
