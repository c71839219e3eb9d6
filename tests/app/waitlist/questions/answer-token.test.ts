import { expect, test } from "vitest";
import { encodeCode, inventCode } from "#app/waitlist/entries/entry-code.server.ts";
import { createAnswerToken, isAnswerToken, readAnswerToken } from "#app/waitlist/questions/answer-token.server.ts";

const secret = "0123456789abcdef0123456789abcdef";
const hashKey = "abcdef0123456789abcdef0123456789";
const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;

const entryOf = (token: string, now = NOON) =>
  readAnswerToken(token, { linkSecrets: [secret], hashKey, now: () => now });

/* That a changed token is refused: tests/worker/tokens.property.test.ts. */

test("a token names its entry for an hour", async () => {
  for (const id of [1, 35, 1_000_000, 2 ** 32 - 1]) {
    const token = await createAnswerToken(await encodeCode(id, hashKey), NOON, secret);
    expect(await entryOf(token)).toBe(id);
    expect(await entryOf(token, NOON + HOUR - 1)).toBe(id);
    expect(await entryOf(token, NOON + HOUR)).toBeNull();
    expect(await entryOf(token, NOON - HOUR)).toBeNull();
  }
});

test("a token with an invented code is as valid as any, and names no entry that can be", async () => {
  const token = await createAnswerToken(await inventCode(hashKey), NOON, secret);
  expect(await entryOf(token)).toBeGreaterThanOrEqual(2 ** 32);
});

test("tokens of all entries and of none look alike and reveal nothing of the entry", async () => {
  const codes = await Promise.all(Array.from({ length: 64 }, (_, index) => encodeCode(index + 1, hashKey)));
  codes.push(await inventCode(hashKey), await encodeCode(2 ** 32 - 1, hashKey));
  const tokens = await Promise.all(codes.map((code) => createAnswerToken(code, NOON, secret)));
  expect(new Set(tokens.map(({ length }) => length)).size).toBe(1);
  expect(tokens.every(isAnswerToken)).toBe(true);
  // Even entries in a row differ at every position of the code.
  for (let index = 0; index < 8; index += 1)
    expect(new Set(tokens.map((token) => token[index])).size, `position ${index}`).toBeGreaterThan(8);
});
