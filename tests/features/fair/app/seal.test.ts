import { expect, test } from "vitest";
import { createOpener, openSealed, openSignUp } from "#app/features/fair/open.server.ts";
import { fromBase64Url, IV_BYTES, makeDeviceKeys, POINT_BYTES, seal, toBase64Url } from "#app/features/fair/seal.ts";
import { needs } from "#tests/support/pool/start.ts";

needs("fair");

const ID = "9f0a4a52-5c5c-4b0e-9d55-000000000001";
const OTHER_ID = "9f0a4a52-5c5c-4b0e-9d55-000000000002";

async function device(number = 7) {
  const { publicKey, privateKey } = await makeDeviceKeys();
  const opener = await createOpener(number, { public_key: publicKey, private_key: privateKey });
  if (opener === null) throw new Error("the key cannot be read");
  return { publicKey, opener };
}

test("the longest sign-up fits", async () => {
  const { publicKey } = await device();
  const email = `${"a".repeat(64)}@${"b".repeat(185)}.com`;
  // Each of these takes three bytes.
  const answers = Object.fromEntries(["one", "two", "three", "four", "five"].map((key) => [key, "€".repeat(120)]));
  expect((await seal(publicKey, ID, 7, JSON.stringify({ email, answers }))).length).toBeLessThan(4_000);
});

test("it opens for no other id, device number or key", async () => {
  const { publicKey, opener } = await device();
  const sealed = await seal(publicKey, ID, 7, "ada@example.com");
  expect(await openSealed(opener, { id: OTHER_ID, sealed })).toBeNull();
  expect(await openSealed({ ...opener, device: 8 }, { id: ID, sealed })).toBeNull();
  const { opener: other } = await device();
  expect(await openSealed(other, { id: ID, sealed })).toBeNull();
  expect(await openSealed(opener, { id: ID, sealed })).toBe("ada@example.com");
});

test("it does not open once any byte is changed, or the end is missing", async () => {
  const { publicKey, opener } = await device();
  const bytes = fromBase64Url(await seal(publicKey, ID, 7, "ada@example.com"));
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = bytes.map((byte, place) => (place === index ? byte ^ 1 : byte));
    expect(await openSealed(opener, { id: ID, sealed: toBase64Url(changed) }), `byte ${index}`).toBeNull();
  }
  for (const length of [0, 1, POINT_BYTES, POINT_BYTES + IV_BYTES, bytes.length - 1]) {
    expect(await openSealed(opener, { id: ID, sealed: toBase64Url(bytes.subarray(0, length)) })).toBeNull();
  }
  expect(await openSealed(opener, { id: ID, sealed: "=" })).toBeNull();
});

test.each(["", "ada@example.com", "{}", '{"email":1,"answers":{}}', '{"email":"a","answers":{"x":1}}', "null"])(
  "a text that is no sign-up is unreadable: %s",
  async (text) => {
    const { publicKey, opener } = await device();
    expect(await openSignUp(opener, { id: ID, sealed: await seal(publicKey, ID, 7, text) })).toBeNull();
  },
);
