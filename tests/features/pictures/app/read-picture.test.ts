import { describe, expect, test } from "vitest";
import { orientationOnly } from "#app/owner/pictures/orientation.server.ts";
import { readPicture } from "#app/owner/pictures/read-picture.server.ts";
import {
  adobe,
  chunk,
  concat,
  exif,
  exifSegment,
  extras,
  icc,
  includes,
  jfif,
  jpeg,
  png,
  SECRET,
  segment,
  vp8,
  vp8l,
  vp8x,
  webp,
  webpChunk,
} from "#tests/features/pictures/pool/picture-files.ts";

function taken(file: Uint8Array) {
  const picture = readPicture(file);
  if ("problem" in picture) throw new Error(picture.problem);
  expect(includes(picture.bytes, SECRET)).toBe(false);
  // What is stored is taken as it is.
  expect(readPicture(picture.bytes)).toEqual(picture);
  return picture;
}

const refused = (file: Uint8Array) => (readPicture(file) as { problem?: string }).problem ?? "taken";

describe("a JPEG", () => {
  test("is stored without where it was taken, comments, a preview and what follows it; its colours stay", () => {
    const before = [jfif, exifSegment(1), ...extras, icc, adobe];
    const { bytes, ...picture } = taken(jpeg({ before, after: concat(jpeg(), SECRET) }));
    expect(picture).toEqual({ type: "jpeg", width: 800, height: 600 });
    const plainJfif = segment(0xe0, concat("JFIF\0", [1, 1, 0, 0, 1, 0, 1, 0, 0]));
    expect(bytes).toEqual(jpeg({ before: [plainJfif, icc, adobe] }));
  });

  test.each([2, 3, 4, 5, 6, 7, 8])("that is turned (%i) keeps that alone", (orientation) => {
    const { bytes, width, height } = taken(jpeg({ before: [exifSegment(orientation)] }));
    expect([width, height]).toEqual(orientation >= 5 ? [600, 800] : [800, 600]);
    expect(bytes).toEqual(jpeg({ before: [segment(0xe1, concat("Exif\0\0", orientationOnly(orientation)))] }));
  });

  test.each([0, 9, 500])("whose orientation is %i is taken as it lies", (orientation) => {
    expect(taken(jpeg({ before: [exifSegment(orientation)] })).bytes).toEqual(jpeg({ before: [] }));
  });

  test("is taken if it is progressive, has fill bytes or no JFIF header", () => {
    expect(taken(jpeg({ frame: 0xc2 })).width).toBe(800);
    expect(taken(jpeg({ before: [concat([0xff, 0xff], jfif)] })).width).toBe(800);
    expect(taken(jpeg({ before: [] })).width).toBe(800);
  });

  test.each(["exif that ends early", "exif that points behind its end", "exif of another kind"])("has %s", (kind) => {
    const whole = exif(6);
    if (kind.includes("points")) whole[4] = 0xf0;
    const data = kind.includes("another")
      ? concat("Exif", whole)
      : kind.includes("early")
        ? whole.subarray(0, 14)
        : whole;
    expect(taken(jpeg({ before: [segment(0xe1, concat("Exif\0\0", data))] })).width).toBe(800);
  });
});

test("a PNG is stored without EXIF data, texts, times, animation and what follows it; one that is turned stays so", () => {
  const texts = ["tEXt", "zTXt", "iTXt", "tIME", "acTL", "prVt"].map((name) => chunk(name, SECRET));
  const { bytes, ...picture } = taken(png({ before: [...texts, chunk("eXIf", exif(1))], after: SECRET }));
  expect(picture).toEqual({ type: "png", width: 800, height: 600 });
  expect(bytes).toEqual(png());
  const turned = taken(png({ before: [chunk("eXIf", exif(6))] }));
  expect([turned.width, turned.height]).toEqual([600, 800]);
  expect(includes(turned.bytes, chunk("eXIf", orientationOnly(6)))).toBe(true);
});

describe("a WebP", () => {
  test("is stored without EXIF and XMP data and what follows it, and its header says so", () => {
    const meta = [webpChunk("EXIF", exif(1)), webpChunk("XMP ", SECRET), webpChunk("ABCD", SECRET)];
    const icc = webpChunk("ICCP", "sRGB!");
    const { bytes, ...picture } = taken(webp([vp8x(800, 600, 0x2c), icc, vp8(800, 600), ...meta], SECRET));
    expect(picture).toEqual({ type: "webp", width: 800, height: 600 });
    expect(bytes).toEqual(webp([vp8x(800, 600, 0x20), icc, vp8(800, 600)]));
  });

  test("keeps its transparency, and how it is turned", () => {
    const alpha = webpChunk("ALPH", [1, 2, 3]);
    const lossy = taken(webp([vp8x(800, 600, 0x10), alpha, vp8(800, 600)]));
    expect(lossy.bytes).toEqual(webp([vp8x(800, 600, 0x10), alpha, vp8(800, 600)]));
    const turned = taken(webp([vp8x(800, 600, 0x18), vp8l(800, 600), webpChunk("EXIF", exif(8))]));
    expect([turned.width, turned.height]).toEqual([600, 800]);
    expect(turned.bytes).toEqual(webp([vp8x(800, 600, 0x18), vp8l(800, 600), webpChunk("EXIF", orientationOnly(8))]));
  });

  test("without a header has one chunk", () => {
    expect(taken(webp([vp8(800, 600), webpChunk("EXIF", exif(6))])).bytes).toEqual(webp([vp8(800, 600)]));
    expect(taken(webp([vp8l(1_600, 2_400)])).height).toBe(2_400);
  });
});

const DAMAGED = /^This file is damaged or incomplete\./;
const NO_PICTURE = /^This is no picture in the format JPEG, PNG or WebP\./;
const PIXELS = /pixels, and 1,600 × 2,400 is the most\. Make it smaller /;
const whole = jpeg();

test.each<[what: string, file: Uint8Array, sentence: RegExp]>([
  ["an SVG", concat("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"), NO_PICTURE],
  ["a GIF", concat("GIF89a", [1, 0, 1, 0, 0, 0, 0]), NO_PICTURE],
  ["HTML that ends as a JPEG", concat("<!doctype html>", whole), NO_PICTURE],
  ["a PDF", concat("%PDF-1.7"), NO_PICTURE],
  ["nothing", new Uint8Array(), NO_PICTURE],
  ["a HEIC", concat([0, 0, 0, 24], "ftypheic"), /^This is a HEIC or AVIF picture/],
  ["two bytes", whole.subarray(0, 2), DAMAGED],
  ["a JPEG without its end", whole.subarray(0, -2), DAMAGED],
  ["half a JPEG", whole.subarray(0, 150), DAMAGED],
  ["a JPEG of a header alone", concat([0xff, 0xd8, 0xff, 0xd9]), DAMAGED],
  ["a JPEG without width", jpeg({ width: 0 }), DAMAGED],
  ["a JPEG without height", jpeg({ height: 0 }), DAMAGED],
  ["a JPEG of 50,000 × 50,000 pixels", jpeg({ width: 50_000, height: 50_000 }), PIXELS],
  ["a JPEG that is too wide", jpeg({ width: 1_601 }), PIXELS],
  ["a JPEG that is too wide when turned", jpeg({ width: 800, height: 1_601, before: [exifSegment(6)] }), PIXELS],
  ["a JPEG with two sizes", jpeg({ before: [segment(0xc0, [8, 0, 9, 0, 9, 1, 1, 0x11, 0])] }), DAMAGED],
  ["a JPEG with a segment that ends too late", jpeg({ before: [concat([0xff, 0xe1, 0xff, 0xff])] }), DAMAGED],
  ["a JPEG with a segment of no length", jpeg({ before: [concat([0xff, 0xfe, 0, 0])] }), DAMAGED],
  ["a JPEG with text in its tables", jpeg({ before: [segment(0xdb, SECRET)] }), DAMAGED],
  ["a JPEG without loss", jpeg({ frame: 0xc3 }), /^Not every email program shows this kind/],
  ["a JPEG of 401 KB", jpeg({ data: 401 * 1_024 }), /^The picture is larger than 400 KB/],
  ["a PNG without its end", png().subarray(0, -12), DAMAGED],
  ["a PNG with a wrong checksum", png().with(30, 7), DAMAGED],
  ["a PNG without data", concat(png().subarray(0, 46), chunk("IEND", [])), DAMAGED],
  ["a PNG with an unknown chunk that is needed", png({ before: [chunk("SECR", SECRET)] }), DAMAGED],
  ["a PNG without width", png({ width: 0 }), DAMAGED],
  ["a PNG of 50,000 × 50,000 pixels", png({ width: 50_000, height: 50_000 }), PIXELS],
  ["a PNG of 2³¹ pixels' width", png({ width: 2 ** 31 }), PIXELS],
  ["a WebP that moves", webp([vp8x(8, 6, 2), webpChunk("ANIM", [0]), vp8(8, 6)]), /^This picture moves\./],
  ["a WebP that ends too late", webp([vp8(800, 600)]).subarray(0, -4), DAMAGED],
  ["a WebP whose sizes differ", webp([vp8x(801, 600, 0), vp8(800, 600)]), DAMAGED],
  ["a WebP without width", webp([vp8(0, 600)]), DAMAGED],
  ["a WebP of 16,000 × 16,000 pixels", webp([vp8l(16_000, 16_000)]), PIXELS],
  ["a WebP with two pictures", webp([vp8(800, 600), vp8l(800, 600)]), DAMAGED],
])("refuses %s with a sentence", (_, file, sentence) => {
  expect(refused(file)).toMatch(sentence);
});
