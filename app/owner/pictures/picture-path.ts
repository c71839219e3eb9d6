import type { PictureType } from "#app/server/db/schema/pictures.server.ts";

const extensions: Record<PictureType, string> = { jpeg: "jpg", png: "png", webp: "webp" };

export interface AddressedPicture {
  key: string;
  type: PictureType;
  width: number;
  height: number;
}

/** The path of a picture on this site: `/pictures/0f…9a-1600x1200.jpg`. `readPicturePath` reads it. */
export function picturePath({ key, type, width, height }: AddressedPicture): `/${string}` {
  return `/pictures/${key}-${width}x${height}.${extensions[type]}`;
}
