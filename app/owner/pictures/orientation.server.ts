import { hasText, viewOf } from "#app/owner/pictures/picture-bytes.server.ts";

/*
 * Cameras do not turn a picture that was taken upright: they write into its EXIF data how it is to be turned. That number is
 * all that is kept of this data. https://www.cipa.jp/std/documents/download_e.html?DC-008-Translation-2023-E
 */

const ORIENTATION = 0x0112;

/** Bytes of an entry of a directory. */
const ENTRY_SIZE = 12;

/** How a picture is turned, from 1 (not at all) to 8. @param tiff the EXIF data, which may be malformed */
export function readOrientation(tiff: Uint8Array): number {
  const isLittle = hasText(tiff, 0, "II*\0");
  if (!isLittle && !hasText(tiff, 0, "MM\0*")) return 1;
  const view = viewOf(tiff);
  if (view.byteLength < 8) return 1;
  const directory = view.getUint32(4, isLittle);
  if (directory + 2 > view.byteLength) return 1;
  const count = view.getUint16(directory, isLittle);
  for (let index = 0; index < count; index += 1) {
    const entry = directory + 2 + index * ENTRY_SIZE;
    if (entry + ENTRY_SIZE > view.byteLength) return 1;
    if (view.getUint16(entry, isLittle) !== ORIENTATION) continue;
    const value = view.getUint16(entry + 8, isLittle);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

/** EXIF data of one directory with one entry: the orientation. */
export function orientationOnly(orientation: number): Uint8Array {
  const header = [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8];
  const entry = [ORIENTATION >> 8, ORIENTATION & 0xff, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0];
  return new Uint8Array([...header, 0, 1, ...entry, 0, 0, 0, 0]);
}

/** The width and height as they are shown. */
export function turned(size: { width: number; height: number }, orientation: number) {
  return orientation >= 5 ? { width: size.height, height: size.width } : size;
}
