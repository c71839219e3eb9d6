import { describe, expect, test } from "vitest";
import {
  signDataToken,
  signEntryToken,
  verifyDataToken,
  verifyEntryToken,
} from "#app/waitlist/my-data/token.server.ts";

const secret = "0123456789abcdef0123456789abcdef";
const previous = "fedcba9876543210fedcba9876543210";

/** Time at which tokens are signed and verified. */
const NOW = Date.UTC(2026, 10, 21);

const kinds = {
  "confirm:v1": {
    sign: (id: number, key = secret) => signEntryToken("confirm:v1", id, key),
    verify: (token: string, keys = [secret]) => verifyEntryToken("confirm:v1", token, keys),
  },
  "unsubscribe:v1": {
    sign: (id: number, key = secret) => signEntryToken("unsubscribe:v1", id, key),
    verify: (token: string, keys = [secret]) => verifyEntryToken("unsubscribe:v1", token, keys),
  },
  "your-data:v1": {
    sign: (id: number, key = secret) => signDataToken(id, NOW, key),
    verify: async (token: string, keys = [secret]) => (await verifyDataToken(token, keys, NOW))?.entryId ?? null,
  },
};

test("a token of one kind is not valid as the other", async () => {
  expect(await kinds["your-data:v1"].verify(await kinds["unsubscribe:v1"].sign(7))).toBeNull();
  expect(await kinds["unsubscribe:v1"].verify(await kinds["your-data:v1"].sign(7))).toBeNull();
});

describe.each(Object.entries(kinds))("%s", (_purpose, { sign, verify }) => {
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
    const spliced = `${seven.slice(0, seven.indexOf("."))}${eight.slice(eight.indexOf("."))}`;
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
