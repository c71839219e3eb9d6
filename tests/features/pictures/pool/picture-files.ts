import { crc32 } from "node:zlib";

/* Picture files of the tests' own making: correct in their structure, with data that is no picture. */

/** Stands for where a picture was taken, in every place that can hold it. */
export const SECRET = "GPS 51.5074N 0.1278W";

const text = (value: string) => Uint8Array.from(value, (character) => character.charCodeAt(0));

export function concat(...parts: (Uint8Array | string | number[])[]): Uint8Array<ArrayBuffer> {
  const arrays = parts.map((part) => (typeof part === "string" ? text(part) : Uint8Array.from(part)));
  return new Uint8Array(arrays.flatMap((array) => Array.from(array)));
}

export function includes(file: Uint8Array, part: Uint8Array | string): boolean {
  const latin1 = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes);
  return latin1(file).includes(typeof part === "string" ? part : latin1(part));
}

const big16 = (value: number) => [value >> 8, value & 0xff];
const big32 = (value: number) => [...big16(value >>> 16), ...big16(value & 0xffff)];
const little16 = (value: number) => big16(value).reverse();
const little24 = (value: number) => [...little16(value & 0xffff), value >> 16];
const little32 = (value: number) => big32(value).reverse();

/** EXIF data as a phone writes it: a camera, the orientation, and a directory of GPS data, in little-endian order. */
export function exif(orientation: number): Uint8Array<ArrayBuffer> {
  const entry = (tag: number, type: number, count: number, value: number) =>
    concat(little16(tag), little16(type), little32(count), little32(value));
  const place = 8 + 2 + 3 * 12 + 4 + 2 + 12 + 4;
  return concat(
    ...["II*\0", little32(8), little16(3)],
    entry(0x010f, 2, 4, 0x6e6f6850),
    entry(0x0112, 3, 1, orientation),
    entry(0x8825, 4, 1, 8 + 2 + 3 * 12 + 4),
    ...[little32(0), little16(1)],
    entry(0x0002, 2, SECRET.length, place),
    ...[little32(0), SECRET],
  );
}

export const segment = (marker: number, content: Uint8Array | string | number[]) => {
  const bytes = concat(content);
  return concat([0xff, marker, ...big16(bytes.length + 2)], bytes);
};

export const exifSegment = (orientation: number) => segment(0xe1, concat("Exif\0\0", exif(orientation)));

export const jfif = segment(0xe0, concat("JFIF\0", [1, 1, 0, 0, 1, 0, 1, 1, 1], [1, 2, 3]));
export const icc = segment(0xe2, concat("ICC_PROFILE\0", [1, 1], "Display P3"));
export const adobe = segment(0xee, concat("Adobe", [0, 100, 0, 0, 0, 0, 1]));

/** What cameras and programs add, besides EXIF data. */
export const extras = [
  segment(0xe1, `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${SECRET}</x:xmpmeta>`),
  segment(0xe2, `MPF\0${SECRET}`),
  segment(0xed, `Photoshop 3.0\u00008BIM${SECRET}`),
  segment(0xe5, SECRET),
  segment(0xfe, SECRET),
];

interface Shape {
  width?: number;
  height?: number;
}

interface JpegParts extends Shape {
  before?: Uint8Array[];
  after?: Uint8Array | string;
  /** Bytes of its data. */
  data?: number;
  frame?: number;
}

export function jpeg({
  width = 800,
  height = 600,
  before = [jfif],
  after = "",
  data = 200,
  frame = 0xc0,
}: JpegParts = {}) {
  const components = [1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0];
  const huffman = [0, ...Array.from({ length: 16 }, (_, index) => (index === 1 ? 2 : 0)), 1, 2];
  return concat(
    [0xff, 0xd8],
    ...before,
    segment(0xdb, [0, ...Array.from({ length: 64 }, () => 16)]),
    segment(frame, [8, ...big16(height), ...big16(width), 3, ...components]),
    segment(0xc4, huffman),
    segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]),
    // With a byte that is written with a zero behind it, and a restart.
    Array.from({ length: data }, (_, index) => (index * 7) % 251),
    [0xff, 0, 0xff, 0xd0, 12, 0xff, 0xd9],
    after,
  );
}

export function chunk(name: string, content: Uint8Array | string | number[]): Uint8Array<ArrayBuffer> {
  const named = concat(name, content);
  return concat(big32(named.length - 4), named, big32(crc32(named)));
}

export function png({
  width = 800,
  height = 600,
  before = [],
  after = "",
}: Shape & { before?: Uint8Array[]; after?: string } = {}) {
  return concat(
    "\u0089PNG\r\n\u001a\n",
    chunk("IHDR", concat(big32(width), big32(height), [8, 6, 0, 0, 0])),
    chunk("sRGB", [0]),
    ...before,
    chunk("IDAT", [1, 2, 3]),
    chunk("IDAT", [4, 5]),
    chunk("IEND", []),
    after,
  );
}

export function webpChunk(name: string, content: Uint8Array | string | number[]): Uint8Array<ArrayBuffer> {
  const bytes = concat(content);
  return concat(name, little32(bytes.length), bytes, bytes.length % 2 === 1 ? [0] : []);
}

export const vp8 = (width: number, height: number) =>
  webpChunk("VP8 ", concat([0x30, 1, 0, 0x9d, 1, 0x2a], little16(width), little16(height), [1, 2, 3]));
export const vp8l = (width: number, height: number) =>
  webpChunk("VP8L", concat([0x2f], little32(((height - 1) << 14) | (width - 1)), [1, 2, 3]));
export const vp8x = (width: number, height: number, flags: number) =>
  webpChunk("VP8X", concat([flags, 0, 0, 0], little24(width - 1), little24(height - 1)));

export function webp(chunks: Uint8Array[], after = ""): Uint8Array<ArrayBuffer> {
  const content = concat("WEBP", ...chunks);
  return concat("RIFF", little32(content.length), content, after);
}
