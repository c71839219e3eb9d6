import { env } from "cloudflare:test";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readPicture } from "#app/owner/pictures/read-picture.server.ts";
import {
  chunk,
  exif,
  exifSegment,
  extras,
  icc,
  includes,
  jfif,
  jpeg,
  png,
  SECRET,
  vp8,
  vp8x,
  webp,
  webpChunk,
} from "#tests/features/pictures/pool/picture-files.ts";

const options = { numRuns: Math.max(300, 20_000 * env.FUZZ_FACTOR), seed: env.FAST_CHECK_SEED };

const files = [
  jpeg({ before: [jfif, exifSegment(6), ...extras, icc] }),
  png({ before: [chunk("eXIf", exif(6)), chunk("tEXt", SECRET), chunk("iTXt", SECRET)] }),
  // In front of the data, which has no end of its own.
  webp([vp8x(800, 600, 0x0c), webpChunk("EXIF", exif(6)), webpChunk("XMP ", SECRET), vp8(800, 600)]),
];

/** A file with some bytes replaced, and perhaps cut, or with a part repeated. */
const damagedFile = fc
  .record({
    file: fc.constantFrom(...files),
    changes: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }),
    cut: fc.option(fc.nat()),
    repeated: fc.option(fc.tuple(fc.nat(), fc.nat(60))),
  })
  .map(({ file, changes, cut, repeated }) => {
    const bytes = Array.from(file);
    for (const [offset, value] of changes) bytes[offset % bytes.length] = value;
    if (repeated !== null) {
      const start = repeated[0] % bytes.length;
      bytes.splice(start, 0, ...bytes.slice(start, start + repeated[1]));
    }
    return new Uint8Array(cut === null ? bytes : bytes.slice(0, cut % bytes.length));
  });

/** Random bytes behind the beginning of each kind of file. */
const randomFile = fc
  .tuple(fc.constantFrom(0, 2, 12, 20), fc.constantFrom(...files), fc.uint8Array({ maxLength: 300 }))
  .map(([length, file, bytes]) => new Uint8Array([...file.subarray(0, length), ...bytes]));

test("no damaged or random file makes it throw, or keep where the picture was taken; what it stores, it takes again", () => {
  let taken = 0;
  fc.assert(
    fc.property(fc.oneof({ weight: 3, arbitrary: damagedFile }, randomFile, fc.constantFrom(...files)), (file) => {
      const picture = readPicture(file);
      if ("problem" in picture) {
        expect(picture.problem).toMatch(/^[A-Z].*\.$/);
        return;
      }
      taken += 1;
      expect(includes(picture.bytes, SECRET.slice(0, 12))).toBe(false);
      expect(picture.bytes.length).toBeLessThanOrEqual(file.length + 44);
      expect(readPicture(picture.bytes)).toEqual(picture);
    }),
    options,
  );
  expect(taken).toBeGreaterThan(10);
});

test("a file of 10 MB is read in a moment, whatever it has", () => {
  const repeat = (bytes: number[]) => new Uint8Array(10_000_000).map((_, index) => bytes[index % bytes.length] ?? 0);
  for (const bytes of [[0xff], [0xff, 0xe1, 0, 2], [0xff, 0], [0, 0, 0, 0, 0x61, 0x62, 0x63, 0x64], [0]]) {
    for (const file of files) {
      const large = repeat(bytes);
      large.set(file.subarray(0, 2 + bytes.length * 8));
      const started = performance.now();
      readPicture(large);
      expect(performance.now() - started).toBeLessThan(3_000);
    }
  }
});
