import { orientationOnly, readOrientation, turned } from "#app/owner/pictures/orientation.server.ts";
import {
  bytesOf,
  type CleanPicture,
  damaged,
  hasText,
  joined,
  PictureProblem,
  part,
  viewOf,
} from "#app/owner/pictures/picture-bytes.server.ts";

/* https://www.w3.org/Graphics/JPEG/itu-t81.pdf, annex B: a JPEG is a list of segments, some with data behind them. */

const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;

/** Baseline, extended and progressive: what browsers and email programs show. */
const FRAMES = [0xc0, 0xc1, 0xc2];

/** Tables for decoding, and the interval of restarts. */
const HUFFMAN = 0xc4;
const QUANTISATION = 0xdb;
const RESTARTS = 0xdd;

/** Comments, and the segments of applications, in which cameras write. */
const COMMENT = 0xfe;
const APPLICATION = { first: 0xe0, last: 0xef };
const JFIF = 0xe0;
const EXIF = 0xe1;
const ICC = 0xe2;
const ADOBE = 0xee;

/** Keeps what is needed to show it, in the right colours and turned the right way. Ends at the end of the first picture. */
export function cleanJpeg(file: Uint8Array): CleanPicture {
  const view = viewOf(file);
  const kept: Uint8Array[] = [];
  let header: Uint8Array[] = [];
  let orientation: number | null = null;
  let size: { width: number; height: number } | null = null;
  let hasScan = false;
  let offset = 2;
  for (;;) {
    if (view.getUint8(offset) !== 0xff) throw damaged();
    // Any number of these bytes may stand before a marker.
    while (view.getUint8(offset + 1) === 0xff) offset += 1;
    const marker = view.getUint8(offset + 1);
    if (marker === END) break;
    const length = view.getUint16(offset + 2);
    // It counts its own two bytes.
    if (length < 2) throw damaged();
    const end = offset + 2 + length;
    const segment = part(file, offset, end);
    offset = end;
    if (marker === JFIF && hasText(segment, 4, "JFIF\0") && segment.length >= 16) {
      // Without its thumbnail.
      header = [new Uint8Array([0xff, JFIF, 0, 16, ...segment.subarray(4, 16), 0, 0])];
    } else if (marker === EXIF && hasText(segment, 4, "Exif\0\0")) {
      orientation ??= readOrientation(segment.subarray(10));
    } else if (marker === COMMENT || isApplication(marker)) {
      if (isForColours(marker, segment)) kept.push(segment);
    } else if (FRAMES.includes(marker)) {
      if (size !== null) throw damaged();
      size = frameSize(segment);
      kept.push(segment);
    } else if (marker === SCAN) {
      // The number of components, two bytes for each, and three more.
      if (size === null || segment.length !== 8 + 2 * (segment[4] ?? 0)) throw damaged();
      hasScan = true;
      offset = endOfScan(file, end);
      kept.push(segment, part(file, end, offset));
    } else if (isTables(marker, segment.subarray(4))) {
      kept.push(segment);
    } else {
      // Markers in the wrong place, and kinds of JPEG for medicine and archives.
      throw marker > 0xc2 && marker < 0xd0 ? rareKind() : damaged();
    }
  }
  if (size === null || !hasScan) throw damaged();
  const exif = orientation === null || orientation === 1 ? [] : [exifSegment(orientation)];
  const bytes = joined([new Uint8Array([0xff, START]), ...header, ...exif, ...kept, new Uint8Array([0xff, END])]);
  return { type: "jpeg", ...turned(size, orientation ?? 1), bytes };
}

function isApplication(marker: number): boolean {
  return marker >= APPLICATION.first && marker <= APPLICATION.last;
}

/** The colour profile, and the note that says how the colours are stored. */
function isForColours(marker: number, segment: Uint8Array): boolean {
  return (
    (marker === ICC && hasText(segment, 4, "ICC_PROFILE\0")) ||
    (marker === ADOBE && hasText(segment, 4, "Adobe") && segment.length === 16)
  );
}

/** Whether a segment has the tables that it claims to have, and nothing else, so that nothing can hide in them. */
function isTables(marker: number, content: Uint8Array): boolean {
  if (marker === RESTARTS) return content.length === 2;
  if (marker !== HUFFMAN && marker !== QUANTISATION) return false;
  let offset = 0;
  while (offset < content.length) {
    const first = content[offset] ?? 0;
    // 64 numbers of one byte or two; or how many codes there are of each length, with as many values.
    const length =
      marker === QUANTISATION
        ? 64 << (first >> 4)
        : 16 + content.subarray(offset + 1, offset + 17).reduce((sum, count) => sum + count, 0);
    if ((first & 0x0f) > 3 || first >> 4 > 1) return false;
    offset += 1 + length;
  }
  return offset === content.length;
}

function frameSize(segment: Uint8Array): { width: number; height: number } {
  const view = viewOf(segment);
  const components = view.getUint8(9);
  if (segment.length !== 10 + 3 * components) throw damaged();
  if (view.getUint8(4) !== 8 || ![1, 3, 4].includes(components)) throw rareKind();
  return { width: view.getUint16(7), height: view.getUint16(5) };
}

/** Where the compressed data ends: at the next marker that is no restart. */
function endOfScan(file: Uint8Array, start: number): number {
  let offset = file.indexOf(0xff, start);
  while (offset !== -1) {
    const next = file[offset + 1] ?? 0;
    const isData = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!isData) return offset;
    offset = file.indexOf(0xff, offset + 1);
  }
  throw damaged();
}

function exifSegment(orientation: number): Uint8Array {
  const data = joined([bytesOf("Exif\0\0"), orientationOnly(orientation)]);
  return joined([new Uint8Array([0xff, EXIF, 0, data.length + 2]), data]);
}

function rareKind(): PictureProblem {
  return new PictureProblem("Not every email program shows this kind of JPEG. Save it again as an ordinary JPEG.");
}
