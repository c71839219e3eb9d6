import { expect, test } from "vitest";
import { signToken, verifyToken } from "#app/waitlist/my-data/token.server.ts";

const secret = "0123456789abcdef0123456789abcdef";
const previous = "fedcba9876543210fedcba9876543210";

test("a token identifies its entry", async () => {
  for (const id of [1, 35, 36, 1_000_000, Number.MAX_SAFE_INTEGER]) {
    expect(await verifyToken(await signToken(id, secret), [secret])).toBe(id);
  }
});

test("a token signed with the previous secret is valid while that secret is configured", async () => {
  const token = await signToken(7, previous);
  expect(await verifyToken(token, [secret, previous])).toBe(7);
  expect(await verifyToken(token, [secret])).toBeNull();
});

test("changing any one character invalidates a token", async () => {
  const token = await signToken(7, secret);
  for (let index = 0; index < token.length; index += 1) {
    for (const character of ["A", "b", "0", "-", "_", ".", "="]) {
      const altered = token.slice(0, index) + character + token.slice(index + 1);
      if (altered !== token) expect(await verifyToken(altered, [secret]), altered).toBeNull();
    }
  }
});

test("rejects tokens that are truncated, lengthened or spliced", async () => {
  const [seven, eight] = [await signToken(7, secret), await signToken(8, secret)];
  const spliced = `7${eight.slice(eight.indexOf("."))}`;
  for (const bad of [
    "",
    ".",
    seven.slice(0, -1),
    `${seven}A`,
    seven.slice(1),
    spliced,
    seven.toUpperCase(),
    ` ${seven}`,
  ]) {
    expect(await verifyToken(bad, [secret]), bad).toBeNull();
  }
});
