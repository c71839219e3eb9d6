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

/* https://www.rfc-editor.org/rfc/rfc9649: a WebP is a list of chunks: name, length, data, and a byte to make it even. */

/** Of the chunk `VP8X`, which says what others there are. */
const FLAGS = { animation: 0x02, xmp: 0x04, exif: 0x08, alpha: 0x10, colours: 0x20 };

const HEADER_LENGTH = 12;

interface Size {
  width: number;
  height: number;
}

export function cleanWebp(file: Uint8Array): CleanPicture {
  const end = 8 + viewOf(file).getUint32(4, true);
  const whole = part(file, 0, end);
  const chunks = readChunks(whole);
  const data = (name: string) => chunks.find((chunk) => chunk.name === name)?.data;
  const first = chunks[0]?.name;
  if (data("ANIM") !== undefined || data("ANMF") !== undefined) {
    throw new PictureProblem(
      "This picture moves. Choose one that stands still, as many email programs show only those.",
    );
  }
  const [lossy, lossless, extended] = [data("VP8 "), data("VP8L"), data("VP8X")];
  const bitstream = lossy ?? lossless;
  if (bitstream === undefined || (lossy !== undefined && lossless !== undefined)) throw damaged();
  const size = lossy === undefined ? losslessSize(bitstream) : lossySize(bitstream);
  const name = lossy === undefined ? "VP8L" : "VP8 ";
  if (extended === undefined) {
    // Nothing else belongs here, and programs ignore what stands behind it.
    if (first !== name) throw damaged();
    return { type: "webp", ...size, bytes: riff([chunkOf(name, bitstream)]) };
  }
  const canvas = canvasSize(extended);
  if (first !== "VP8X" || canvas.width !== size.width || canvas.height !== size.height) throw damaged();
  const [alpha, colours, exif] = [data("ALPH"), data("ICCP"), data("EXIF")];
  const orientation = exif === undefined ? 1 : readOrientation(withoutPrefix(exif));
  const header = new Uint8Array(extended);
  // Pictures without loss have their transparency in themselves.
  const hasAlpha = alpha !== undefined || (lossless !== undefined && ((extended[0] ?? 0) & FLAGS.alpha) !== 0);
  header[0] =
    (hasAlpha ? FLAGS.alpha : 0) | (colours === undefined ? 0 : FLAGS.colours) | (orientation === 1 ? 0 : FLAGS.exif);
  const kept = [chunkOf("VP8X", header)];
  if (colours !== undefined) kept.push(chunkOf("ICCP", colours));
  if (alpha !== undefined && lossy !== undefined) kept.push(chunkOf("ALPH", alpha));
  kept.push(chunkOf(name, bitstream));
  if (orientation !== 1) kept.push(chunkOf("EXIF", orientationOnly(orientation)));
  return { type: "webp", ...turned(size, orientation), bytes: riff(kept) };
}

export function isWebp(file: Uint8Array): boolean {
  return hasText(file, 0, "RIFF") && hasText(file, 8, "WEBP");
}

function readChunks(file: Uint8Array): { name: string; data: Uint8Array }[] {
  const view = viewOf(file);
  const chunks: { name: string; data: Uint8Array }[] = [];
  let offset = HEADER_LENGTH;
  while (offset < file.length) {
    const length = view.getUint32(offset + 4, true);
    const name = String.fromCharCode(...part(file, offset, offset + 4));
    chunks.push({ name, data: part(file, offset + 8, offset + 8 + length) });
    offset += 8 + length + (length % 2);
  }
  return chunks;
}

/** Some programs write the beginning that the data has in a JPEG. */
function withoutPrefix(exif: Uint8Array): Uint8Array {
  return hasText(exif, 0, "Exif\0\0") ? exif.subarray(6) : exif;
}

function canvasSize(data: Uint8Array): Size {
  if (data.length !== 10) throw damaged();
  const view = viewOf(data);
  const number = (offset: number) => view.getUint16(offset, true) + (view.getUint8(offset + 2) << 16) + 1;
  return { width: number(4), height: number(7) };
}

/** https://www.rfc-editor.org/rfc/rfc6386, section 9.1. */
function lossySize(data: Uint8Array): Size {
  const view = viewOf(data);
  const isKeyFrame = (view.getUint8(0) & 1) === 0;
  if (!isKeyFrame || !hasText(data, 3, "\u009d\u0001\u002a")) throw damaged();
  return { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff };
}

function losslessSize(data: Uint8Array): Size {
  const view = viewOf(data);
  const bits = view.getUint32(1, true);
  const version = bits >>> 29;
  if (view.getUint8(0) !== 0x2f || version !== 0) throw damaged();
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function chunkOf(name: string, data: Uint8Array): Uint8Array {
  const header = new Uint8Array(8);
  header.set(bytesOf(name));
  viewOf(header).setUint32(4, data.length, true);
  return joined([header, data, new Uint8Array(data.length % 2)]);
}

function riff(chunks: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = joined([bytesOf("RIFF"), new Uint8Array(4), bytesOf("WEBP"), ...chunks]);
  viewOf(whole).setUint32(4, whole.length - 8, true);
  return whole;
}
