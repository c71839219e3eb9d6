import { expect, test } from "vitest";
import { verifyDataToken, verifyEntryToken } from "#app/waitlist/my-data/token.server.ts";
import {
  createAnswerToken,
  isAnswerToken,
  NO_ENTRY,
  readAnswerToken,
} from "#app/waitlist/questions/answer-token.server.ts";

const secret = "0123456789abcdef0123456789abcdef";
const previous = "fedcba9876543210fedcba9876543210";
const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;

test("a token names its entry for an hour", async () => {
  for (const id of [NO_ENTRY, 1, 1_000_000, Number.MAX_SAFE_INTEGER]) {
    const token = await createAnswerToken(id, NOON, secret);
    expect(await readAnswerToken(token, [secret], NOON)).toBe(id);
    expect(await readAnswerToken(token, [secret], NOON + HOUR - 1)).toBe(id);
    expect(await readAnswerToken(token, [secret], NOON + HOUR)).toBeNull();
  }
});

test("tokens of all entries look alike and reveal nothing of the entry", async () => {
  const ids = [NO_ENTRY, 1, 1, 35, 1_000_000, Number.MAX_SAFE_INTEGER];
  const tokens = await Promise.all(ids.map((id) => createAnswerToken(id, NOON, secret)));
  expect(new Set(tokens.map(({ length }) => length)).size).toBe(1);
  expect(tokens.every(isAnswerToken)).toBe(true);
  // Every position varies, even between tokens of one entry at one time.
  const many = await Promise.all(Array.from({ length: 64 }, () => createAnswerToken(1, NOON, secret)));
  for (let index = 0; index < 58; index += 1)
    expect(new Set(many.map((token) => token[index])).size).toBeGreaterThan(8);
});

test("a token created with the previous secret is valid while that secret is configured", async () => {
  const token = await createAnswerToken(7, NOON, previous);
  expect(await readAnswerToken(token, [secret, previous], NOON)).toBe(7);
  expect(await readAnswerToken(token, [secret], NOON)).toBeNull();
});

test("changing any one character invalidates a token", async () => {
  const token = await createAnswerToken(7, NOON, secret);
  for (let index = 0; index < token.length; index += 1) {
    for (const character of ["A", "b", "0", "-", "_", ".", "="]) {
      const altered = token.slice(0, index) + character + token.slice(index + 1);
      if (altered !== token) expect(await readAnswerToken(altered, [secret], NOON), altered).toBeNull();
    }
  }
  for (const bad of ["", "=", token.slice(0, -1), `${token}A`, token.slice(4), ` ${token}`, "Ö".repeat(60)]) {
    expect(await readAnswerToken(bad, [secret], NOON), bad).toBeNull();
  }
});

test("a token is not valid where the tokens of emails are", async () => {
  const token = await createAnswerToken(7, NOON, secret);
  expect(await verifyDataToken(token, [secret], NOON)).toBeNull();
  expect(await verifyEntryToken("confirm:v1", token, [secret])).toBeNull();
  expect(await verifyEntryToken("unsubscribe:v1", token, [secret])).toBeNull();
});
