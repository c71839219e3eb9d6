import { describe, expect, test } from "vitest";
import { signToken, type TokenPurpose, verifyToken } from "#app/server/signed-token.server.ts";

const secret = "0123456789abcdef0123456789abcdef";
const previous = "fedcba9876543210fedcba9876543210";
const uuid = "3b241101-e2bb-4255-8caf-4136c566a962";

const purposes: TokenPurpose[] = [
  "your-data:v1",
  "unsubscribe:v1",
  "confirm:v1",
  "owner-sign-in:v1",
  "owner-session:v3",
  "owner-browser:v1",
];

describe.each(purposes)("a token for %s", (purpose) => {
  test.each(["7", "zz", uuid])("identifies %s, in characters that URLs need not escape", async (id) => {
    const token = await signToken(purpose, id, secret);
    expect(token).toMatch(/^[0-9a-z-]+\.[\w-]{43}$/);
    expect(await verifyToken(purpose, token, [secret])).toBe(id);
  });

  test("is not valid for another purpose", async () => {
    const token = await signToken(purpose, uuid, secret);
    for (const other of purposes.filter((name) => name !== purpose)) {
      expect(await verifyToken(other, token, [secret]), other).toBeNull();
    }
  });

  test("is valid only while its secret is accepted", async () => {
    const token = await signToken(purpose, uuid, previous);
    expect(await verifyToken(purpose, token, [secret, previous])).toBe(uuid);
    expect(await verifyToken(purpose, token, [secret])).toBeNull();
    expect(await verifyToken(purpose, token, [])).toBeNull();
  });

  test("is not valid with another id", async () => {
    const signature = (await signToken(purpose, "7", secret)).slice(2);
    for (const id of ["8", "07", "7-", "", "-7"]) {
      expect(await verifyToken(purpose, `${id}.${signature}`, [secret]), id).toBeNull();
    }
  });
});

test("a token has exactly one form", async () => {
  const token = await signToken("your-data:v1", "7", secret);
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  // The last character holds two unused bits, so four characters decode to the same bytes.
  const accepted = [];
  for (const last of alphabet) {
    const variant = token.slice(0, -1) + last;
    if ((await verifyToken("your-data:v1", variant, [secret])) !== null) accepted.push(variant);
  }
  expect(accepted).toEqual([token]);
});
