import { env } from "cloudflare:test";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeCode, encodeCode } from "#app/waitlist/entries/entry-code.server.ts";

const key = env.HASH_KEY;
const firstIds = Array.from({ length: 2_000 }, (_, n) => n + 1);

test("codes of neighbouring entries are different, of eight characters, and have no look-alikes", async () => {
  const codes = await Promise.all(firstIds.map((id) => encodeCode(id, key)));
  expect(new Set(codes).size).toBe(codes.length);
  for (const code of codes) expect(code).toMatch(/^[2-9a-hjkmnp-z]{8}$/);
  // Each place takes every character: nothing of the id shows.
  for (let place = 0; place < 8; place += 1) expect(new Set(codes.map((code) => code[place])).size).toBe(31);
});

test("a code stands for its entry, however it is typed, and under another key for something else", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 2 ** 32 }), async (id) => {
      const code = await encodeCode(id, key);
      expect(await decodeCode(code, key)).toBe(id);
      expect(await decodeCode(` ${code.toUpperCase()} `, key)).toBe(id);
      expect(await decodeCode(code, `${key}x`)).not.toBe(id);
    }),
    { numRuns: 100 },
  );
});

test("every text of eight such characters stands for one number, and no other text does", async () => {
  await fc.assert(
    fc.asyncProperty(fc.stringMatching(/^[2-9a-hjkmnp-z]{8}$/), async (code) => {
      const id = (await decodeCode(code, key)) ?? -1;
      expect(id).toBeGreaterThanOrEqual(0);
      expect(await encodeCode(id, key)).toBe(code);
    }),
    { numRuns: 100 },
  );
  for (const text of ["", "abc", "abcdefgh2", "abcdefg1", "abcdefgo", "abcd efg", "абвгдежз", "x".repeat(5_000)]) {
    expect(await decodeCode(text, key), text).toBe(null);
  }
});
