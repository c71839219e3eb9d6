import { expect, test } from "vitest";
import { verifyDataToken, verifyEntryToken } from "#app/waitlist/my-data/token.server.ts";
import { createAnswerToken, isAnswerToken, readAnswerToken } from "#app/waitlist/questions/answer-token.server.ts";
import { encodeCode, inventCode } from "#app/waitlist/referrals/code.server.ts";

const secret = "0123456789abcdef0123456789abcdef";
const previous = "fedcba9876543210fedcba9876543210";
const hashKey = "abcdef0123456789abcdef0123456789";
const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;

const tokenOf = async (id: number, key = secret) => createAnswerToken(await encodeCode(id, hashKey), NOON, key);
const entryOf = (token: string, now = NOON, linkSecrets = [secret]) =>
  readAnswerToken(token, { linkSecrets, hashKey, now: () => now });

test("a token names its entry for an hour", async () => {
  for (const id of [1, 35, 1_000_000, 2 ** 32 - 1]) {
    const token = await tokenOf(id);
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

test("a token created with the previous secret is valid while that secret is configured", async () => {
  const token = await tokenOf(7, previous);
  expect(await entryOf(token, NOON, [secret, previous])).toBe(7);
  expect(await entryOf(token)).toBeNull();
});

test("changing any one character invalidates a token", async () => {
  const token = await tokenOf(7);
  for (let index = 0; index < token.length; index += 1) {
    for (const character of ["A", "b", "0", "-", "_", ".", "="]) {
      const altered = token.slice(0, index) + character + token.slice(index + 1);
      if (altered !== token) expect(await entryOf(altered), altered).toBeNull();
    }
  }
  for (const bad of ["", "=", token.slice(0, -1), `${token}A`, token.slice(4), ` ${token}`, "Ö".repeat(61)]) {
    expect(await entryOf(bad), bad).toBeNull();
    expect(isAnswerToken(bad), bad).toBe(false);
  }
});

test("a token is not valid where the tokens of emails are", async () => {
  const token = await tokenOf(7);
  expect(await verifyDataToken(token, [secret], NOON)).toBeNull();
  expect(await verifyEntryToken("confirm:v1", token, [secret])).toBeNull();
  expect(await verifyEntryToken("unsubscribe:v1", token, [secret])).toBeNull();
});
