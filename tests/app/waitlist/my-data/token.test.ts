import { expect, test } from "vitest";
import { signToken, verifyToken } from "#app/waitlist/my-data/token.server.ts";

const secret = "0123456789abcdef0123456789abcdef";
const older = "fedcba9876543210fedcba9876543210";

test("a token leads to the entry it was made for", async () => {
  for (const id of [1, 35, 36, 1_000_000, Number.MAX_SAFE_INTEGER]) {
    expect(await verifyToken(await signToken(id, secret), [secret])).toBe(id);
  }
});

test("a token of the previous secret is honoured for as long as that secret is kept", async () => {
  const token = await signToken(7, older);
  expect(await verifyToken(token, [secret, older])).toBe(7);
  expect(await verifyToken(token, [secret])).toBeNull();
});

test("no change of one character leaves a token valid", async () => {
  const token = await signToken(7, secret);
  for (let index = 0; index < token.length; index += 1) {
    for (const character of ["A", "b", "0", "-", "_", ".", "="]) {
      const altered = token.slice(0, index) + character + token.slice(index + 1);
      if (altered !== token) expect(await verifyToken(altered, [secret]), altered).toBeNull();
    }
  }
});

test("a token that is cut, lengthened, or put together of two is refused", async () => {
  const [seven, eight] = [await signToken(7, secret), await signToken(8, secret)];
  const swapped = `7${eight.slice(eight.indexOf("."))}`;
  for (const bad of [
    "",
    ".",
    seven.slice(0, -1),
    `${seven}A`,
    seven.slice(1),
    swapped,
    seven.toUpperCase(),
    ` ${seven}`,
  ]) {
    expect(await verifyToken(bad, [secret]), bad).toBeNull();
  }
});
