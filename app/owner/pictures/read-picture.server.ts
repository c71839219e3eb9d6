import { cleanJpeg } from "#app/owner/pictures/jpeg.server.ts";
import { type CleanPicture, damaged, hasText, PictureProblem } from "#app/owner/pictures/picture-bytes.server.ts";
import { cleanPng, isPng } from "#app/owner/pictures/png.server.ts";
import { cleanWebp, isWebp } from "#app/owner/pictures/webp.server.ts";
import { formatNumber } from "#app/owner/ui/labels.ts";
import { MAX_PICTURE_BYTES, MAX_PICTURE_HEIGHT, MAX_PICTURE_WIDTH } from "#app/server/pictures/picture-limits.ts";

/** The most that a picture may have: pixels, and bytes as it is stored. */
export interface PictureLimits {
  width: number;
  height: number;
  bytes: number;
}

const ofLetters: PictureLimits = { width: MAX_PICTURE_WIDTH, height: MAX_PICTURE_HEIGHT, bytes: MAX_PICTURE_BYTES };

function kilobytes({ bytes }: PictureLimits): string {
  return `${bytes / 1_024} KB`;
}

function makeSmaller(limits: PictureLimits): string {
  return `Make it smaller with the program that shows your pictures: at most ${formatNumber(limits.width)} pixels wide, saved as a JPEG of at most ${kilobytes(limits)}.`;
}

export function tooManyBytes(limits: PictureLimits = ofLetters): string {
  return `The picture is larger than ${kilobytes(limits)} and was not saved. ${makeSmaller(limits)}`;
}

/**
 * Checks a picture by its bytes, whatever its name says, and takes out all that is not needed to show it: where and with
 * what it was taken, comments, previews, and what stands behind its end. Takes time in proportion to its size. Written
 * here, since libraries that do this are made for browsers or Node.js, decode the picture, or trust the file.
 *
 * @returns the picture, or what is wrong with it, as a sentence. Never throws
 */
export function readPicture(file: Uint8Array, limits = ofLetters): CleanPicture | { problem: string } {
  try {
    const picture = cleanerOf(file)(file);
    const { width, height, bytes } = picture;
    if (width === 0 || height === 0) throw damaged();
    if (width > limits.width || height > limits.height) throw tooManyPixels(width, height, limits);
    if (bytes.byteLength > limits.bytes) throw new PictureProblem(tooManyBytes(limits));
    return picture;
  } catch (error) {
    // A RangeError: the file ends within a number.
    return { problem: (error instanceof PictureProblem ? error : damaged()).message };
  }
}

function cleanerOf(file: Uint8Array): (file: Uint8Array) => CleanPicture {
  if (file[0] === 0xff && file[1] === 0xd8) return cleanJpeg;
  if (isPng(file)) return cleanPng;
  if (isWebp(file)) return cleanWebp;
  if (hasText(file, 4, "ftyp")) {
    throw new PictureProblem(
      "This is a HEIC or AVIF picture, which many email programs do not show. Save it as a JPEG first.",
    );
  }
  throw new PictureProblem(
    "This is no picture in the format JPEG, PNG or WebP. Choose another file, or save it as a JPEG first.",
  );
}

function tooManyPixels(width: number, height: number, limits: PictureLimits): PictureProblem {
  const [actual, most] = [
    [width, height],
    [limits.width, limits.height],
  ].map((size) => size.map(formatNumber).join(" × "));
  return new PictureProblem(`The picture has ${actual} pixels, and ${most} is the most. ${makeSmaller(limits)}`);
}
