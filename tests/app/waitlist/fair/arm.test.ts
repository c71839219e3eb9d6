import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { openDb } from "#app/server/db/client.server.ts";
import { sha256 } from "#app/server/random-token.server.ts";
import { armDevice, CODE_PERIOD, findDevice, stateOf } from "#app/waitlist/fair/arm.server.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { newDevice, newTabletKey } from "#tests/support/pool/fair.ts";
import { needs } from "#tests/support/pool/needs.ts";

needs("fair");
freshDatabaseForEachTest();

const NOW = Date.UTC(2026, 10, 26, 9);
const DAY = 24 * 3_600_000;
const db = openDb(env.DB);

test("a code arms the tablet that sends it first, as often as its answer is lost", async () => {
  const code = await newDevice({ now: NOW });
  const key = newTabletKey();
  const armed = await armDevice(db, { code, key }, NOW + 1);
  expect(armed).toEqual({
    device: expect.any(Number),
    event: "Spring Fair",
    expiresAt: NOW + DAY,
    publicKey: expect.stringMatching(/^[\w-]{87}$/),
    now: NOW + 1,
  });
  expect(await armDevice(db, { code, key }, NOW + CODE_PERIOD - 1)).toEqual({ ...armed, now: NOW + CODE_PERIOD - 1 });
  // What was typed before the second attempt is not before the device was armed.
  expect(await rows("fair_devices")).toMatchObject([{ armed_at: NOW + 1 }]);
});

test("a used code arms no other tablet", async () => {
  const code = await newDevice({ now: NOW });
  const key = newTabletKey();
  await armDevice(db, { code, key }, NOW);
  expect(await armDevice(db, { code, key: newTabletKey() }, NOW + 1)).toBeNull();
  expect(await findDevice(db, await sha256(key))).not.toBeNull();
});

test("of two tablets that scan a code at once, one is armed", async () => {
  const code = await newDevice({ now: NOW });
  const both = await Promise.all([1, 2].map(() => armDevice(db, { code, key: newTabletKey() }, NOW)));
  expect(both.filter((armed) => armed !== null)).toHaveLength(1);
});

test("a code works for an hour, and not once its device has ended", async () => {
  const key = newTabletKey();
  const late = await newDevice({ now: NOW });
  expect(await armDevice(db, { code: late, key }, NOW + CODE_PERIOD)).toBeNull();
  for (const column of ["revoked_at", "closed_at"]) {
    const code = await newDevice({ now: NOW });
    await env.DB.exec(`UPDATE fair_devices SET ${column} = ${NOW}`);
    expect(await armDevice(db, { code, key }, NOW + 1)).toBeNull();
  }
  expect(await armDevice(db, { code: "unknown", key }, NOW)).toBeNull();
  expect((await rows("fair_devices")).map(({ key_hash }) => key_hash)).toEqual([null, null, null]);
});

test("neither a code nor a key is stored", async () => {
  const code = await newDevice({ now: NOW });
  const key = newTabletKey();
  await armDevice(db, { code, key }, NOW);
  const stored = JSON.stringify(await rows("fair_devices"));
  expect(stored).not.toContain(code);
  expect(stored).not.toContain(key);
});

test("a device is open until it expires, is revoked or is closed", () => {
  const open = { expires_at: NOW, revoked_at: null, closed_at: null };
  expect(stateOf(open, NOW - 1)).toBe("open");
  expect(stateOf(open, NOW)).toBe("expired");
  expect(stateOf({ ...open, revoked_at: NOW - 5 }, NOW)).toBe("revoked");
  expect(stateOf({ ...open, revoked_at: NOW - 5, closed_at: NOW }, NOW)).toBe("closed");
});
