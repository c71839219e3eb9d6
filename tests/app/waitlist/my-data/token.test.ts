import { describe, expect, test } from "vitest";
import { signEntryToken, verifyEntryToken } from "#app/waitlist/my-data/token.server.ts";

const secret = "0123456789abcdef0123456789abcdef";
const previous = "fedcba9876543210fedcba9876543210";

describe.each(["your-data:v1", "unsubscribe:v1", "confirm:v1"] as const)("%s", (purpose) => {
  const sign = (id: number, key = secret) => signEntryToken(purpose, id, key);
  const verify = (token: string, keys = [secret]) => verifyEntryToken(purpose, token, keys);

  test("a token identifies its entry", async () => {
    for (const id of [1, 35, 36, 1_000_000, Number.MAX_SAFE_INTEGER]) expect(await verify(await sign(id))).toBe(id);
  });

  test("a token signed with the previous secret is valid while that secret is configured", async () => {
    const token = await sign(7, previous);
    expect(await verify(token, [secret, previous])).toBe(7);
    expect(await verify(token)).toBeNull();
  });

  test("changing any one character invalidates a token", async () => {
    const token = await sign(7);
    for (let index = 0; index < token.length; index += 1) {
      for (const character of ["A", "b", "0", "-", "_", ".", "="]) {
        const altered = token.slice(0, index) + character + token.slice(index + 1);
        if (altered !== token) expect(await verify(altered), altered).toBeNull();
      }
    }
  });

  test("rejects tokens that are truncated, lengthened or spliced", async () => {
    const [seven, eight] = [await sign(7), await sign(8)];
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
      expect(await verify(bad), bad).toBeNull();
    }
  });
});
