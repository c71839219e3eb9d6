import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { armDevice } from "#app/features/fair/devices.server.ts";
import { newDevice, newTabletKey } from "#tests/features/fair/pool/fair.ts";
import { db, freshDatabaseForEachTest, needs, rows } from "#tests/support/pool/start.ts";

needs("fair");
freshDatabaseForEachTest();

const NOW = Date.UTC(2026, 10, 26, 9);
const DAY = 24 * 3_600_000;
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
  expect(await armDevice(db, { code, key }, NOW + 3_599_999)).toEqual({ ...armed, now: NOW + 3_599_999 });
  // What was typed before the second attempt is not before the device was armed.
  expect(await rows("fair_devices")).toMatchObject([{ armed_at: NOW + 1 }]);
  const stored = JSON.stringify(await rows("fair_devices"));
  for (const secret of [code, key]) expect(stored).not.toContain(secret);
});

test("of two tablets that scan a code at once, one is armed", async () => {
  const code = await newDevice({ now: NOW });
  const both = await Promise.all([1, 2].map(() => armDevice(db, { code, key: newTabletKey() }, NOW)));
  expect(both.filter((armed) => armed !== null)).toHaveLength(1);
});

test("a code works for an hour, and not once its device has ended", async () => {
  const key = newTabletKey();
  const late = await newDevice({ now: NOW });
  expect(await armDevice(db, { code: late, key }, NOW + 3_600_000)).toBeNull();
  for (const column of ["revoked_at", "closed_at"]) {
    const code = await newDevice({ now: NOW });
    await env.DB.exec(`UPDATE fair_devices SET ${column} = ${NOW}`);
    expect(await armDevice(db, { code, key }, NOW + 1)).toBeNull();
  }
  expect(await armDevice(db, { code: "unknown", key }, NOW)).toBeNull();
  expect((await rows("fair_devices")).map(({ key_hash }) => key_hash)).toEqual([null, null, null]);
});
