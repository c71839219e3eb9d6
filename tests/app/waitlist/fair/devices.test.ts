import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { openDb } from "#app/server/db/client.server.ts";
import { sha256 } from "#app/server/random-token.server.ts";
import { armDevice } from "#app/waitlist/fair/arm.server.ts";
import {
  closeDevice,
  countInbox,
  listDevices,
  MAX_DEVICES,
  makeDevice,
  readDevice,
  revokeDevice,
} from "#app/waitlist/fair/devices.server.ts";
import { acceptHeld, discardHeld, readHeld } from "#app/waitlist/fair/held.server.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/database.ts";
import { armedDevice, decided, inbox, newTabletKey } from "#tests/support/pool/fair.ts";
import { needs } from "#tests/support/pool/needs.ts";

needs("fair");
freshDatabaseForEachTest();

const db = openDb(env.DB);
const NOW = Date.UTC(2026, 10, 26, 14);
const DAY = 24 * 3_600_000;

/** A tablet that was revoked at `NOW` with as many sign-ups held. */
async function withHeld(...emails: string[]) {
  const tablet = await armedDevice({ now: NOW - 3_600_000 });
  await revokeDevice(db, tablet.device, NOW);
  const ids: string[] = [];
  for (const [index, email] of emails.entries())
    ids.push(await tablet.store(email, { at: NOW - 1_000 + index, now: NOW + 1 }));
  return { ...tablet, ids };
}

async function made(given: { event?: string; days?: number } = {}, now = NOW) {
  const device = await makeDevice(db, { event: "Spring Fair", days: 2, ...given }, now);
  if (device === null) throw new Error("no device was made");
  return device;
}

describe("making a device", () => {
  test("gives a code with which a tablet is armed, and stores only its hash", async () => {
    const { id, code } = await made();
    expect(await readDevice(db, id)).toMatchObject({
      event: "Spring Fair",
      source: "spring_fair",
      code_hash: await sha256(code),
      expires_at: NOW + 2 * DAY,
      key_hash: null,
    });
    expect(JSON.stringify(await listDevices(db))).not.toContain(code);
    expect(await armDevice(db, { code, key: newTabletKey() }, NOW + 1)).toMatchObject({
      device: id,
      event: "Spring Fair",
    });
  });

  test.each([
    ["Frühlingsmarkt 2026", "fr_hlingsmarkt_2026"],
    ["春の市", "fair"],
  ])("gives the event %s the source %s", async (event, source) => {
    const { id } = await made({ event });
    expect(await readDevice(db, id)).toMatchObject({ event, source });
  });

  test(`is refused while ${MAX_DEVICES} are not closed`, async () => {
    const first = await made();
    for (let n = 1; n < MAX_DEVICES; n += 1) await made();
    expect(await makeDevice(db, { event: "One more", days: 1 }, NOW)).toBeNull();
    expect(await closeDevice(db, first.id, NOW)).toBe(true);
    expect(await makeDevice(db, { event: "One more", days: 1 }, NOW)).not.toBeNull();
    expect((await listDevices(db)).map(({ closed_at }) => closed_at)).toEqual([...Array(MAX_DEVICES).fill(null), NOW]);
  });
});

describe("revoking", () => {
  test("stops the device at once, and only once", async () => {
    const tablet = await armedDevice({ now: NOW - 1 });
    expect(await revokeDevice(db, tablet.device, NOW)).toBe(true);
    expect(await revokeDevice(db, tablet.device, NOW + 1)).toBe(false);
    await tablet.store("ada@example.com", { now: NOW + 2 });
    expect(await inbox()).toMatchObject([{ state: "held", reason: "revoked" }]);
  });

  test("keeps what was not added yet for the owner to decide", async () => {
    const [tablet, other] = [await armedDevice({ now: NOW - 1 }), await armedDevice({ now: NOW - 1 })];
    await tablet.store("ada@example.com", { now: NOW });
    await other.store("bea@example.com", { now: NOW });
    await revokeDevice(db, tablet.device, NOW + 1);
    const states = (await inbox()).map(({ device_id, state, reason }) => ({ device_id, state, reason }));
    expect(states).toContainEqual({ device_id: tablet.device, state: "held", reason: "revoked" });
    expect(states).toContainEqual({ device_id: other.device, state: "due", reason: null });
    expect(await closeDevice(db, tablet.device, NOW + 2)).toBe(true);
  });

  test("a code that was not scanned stops working", async () => {
    const { id, code } = await made();
    await revokeDevice(db, id, NOW);
    expect(await armDevice(db, { code, key: newTabletKey() }, NOW + 1)).toBeNull();
  });

  test("does nothing to a device that has expired or is closed", async () => {
    const { id } = await made({ days: 1 });
    expect(await revokeDevice(db, id, NOW + DAY)).toBe(false);
    await closeDevice(db, id, NOW);
    expect(await revokeDevice(db, id, NOW)).toBe(false);
    expect(await revokeDevice(db, 99, NOW)).toBe(false);
  });
});

describe("what is held", () => {
  test("is shown with its addresses, the earliest first, a page at a time", async () => {
    const { device } = await withHeld("ada@example.com", "bob@example.com", "eve@example.com");
    const row = await readDevice(db, device);
    if (row === null) throw new Error("no device");
    const first = await readHeld(db, row, { page: 1, size: 2 });
    expect(first.held.map(({ email, reason, typed_at }) => [email, reason, typed_at - NOW])).toEqual([
      ["ada@example.com", "revoked", -1_000],
      ["bob@example.com", "revoked", -999],
    ]);
    expect(first.hasMore).toBe(true);
    const second = await readHeld(db, row, { page: 2, size: 2 });
    expect([second.held.map(({ email }) => email), second.hasMore]).toEqual([["eve@example.com"], false]);
    expect(await countInbox(db)).toEqual([{ device, state: "held", reason: "revoked", people: 3 }]);
  });

  test("has no address where it cannot be read", async () => {
    const { device } = await withHeld("ada@example.com");
    await env.DB.exec("UPDATE fair_inbox SET sealed = 'AAAA'");
    const row = await readDevice(db, device);
    expect(row && (await readHeld(db, row, { page: 1, size: 2 })).held).toMatchObject([{ email: null }]);
  });

  test("becomes due when it is accepted, but for what cannot be added or came later than the page", async () => {
    const { device, ids } = await withHeld("ada@example.com", "bob@example.com", "not an address", "late@example.com");
    await env.DB.prepare("UPDATE fair_inbox SET reason = 'address' WHERE id = ?").bind(ids[2]).run();
    await env.DB.prepare("UPDATE fair_inbox SET due_at = ? WHERE id = ?")
      .bind(NOW + 60_000, ids[3])
      .run();
    expect(await acceptHeld(db, { device, seenAt: NOW + 10 }, NOW + 20)).toBe(2);
    expect(await acceptHeld(db, { device, seenAt: NOW + 10 }, NOW + 30)).toBe(0);
    expect((await inbox()).map(({ state, reason, due_at }) => [state, reason, due_at - NOW])).toEqual([
      ["due", null, 20],
      ["due", null, 20],
      ["held", "address", 1],
      ["held", "revoked", 60_000],
    ]);
  });

  test("is not stored again once it is discarded, and other devices keep theirs", async () => {
    const { device, ids, send, sealed } = await withHeld("ada@example.com", "bob@example.com");
    const other = await withHeld("eve@example.com");
    expect(await discardHeld(db, { device, seenAt: NOW + 10 })).toBe(2);
    expect(await inbox()).toMatchObject([{ device_id: other.device }]);
    const again = await send([await sealed("ada@example.com", { id: ids[0] ?? "" })], NOW + 20);
    expect(again.stored).toEqual([ids[0]]);
    expect(await inbox()).toHaveLength(1);
    expect(await discardHeld(db, { device, seenAt: NOW + 10 })).toBe(0);
  });
});

describe("closing", () => {
  test("destroys the private key and deletes what is held, with the ids that were kept", async () => {
    const { device, send, sealed } = await withHeld("ada@example.com", "bob@example.com");
    const other = await withHeld("eve@example.com");
    await discardHeld(db, { device, seenAt: NOW + 10 });
    await send([await sealed("dan@example.com")], NOW + 11);
    expect([await decided(), (await inbox()).length]).toEqual([2, 2]);
    expect(await closeDevice(db, device, NOW + 12)).toBe(true);
    expect(await readDevice(db, device)).toMatchObject({ private_key: null, closed_at: NOW + 12 });
    expect(await inbox()).toMatchObject([{ device_id: other.device }]);
    expect(await decided()).toBe(0);
    expect(await send([await sealed("dan@example.com")], NOW + 13)).toMatchObject({ state: "closed", stored: [] });
    expect(await closeDevice(db, device, NOW + 14)).toBe(false);
  });

  test("is refused while sign-ups are about to be added, and changes nothing then", async () => {
    const { device } = await withHeld("ada@example.com");
    await acceptHeld(db, { device, seenAt: NOW + 10 }, NOW + 11);
    expect(await closeDevice(db, device, NOW + 12)).toBe(false);
    expect(await inbox()).toMatchObject([{ state: "due" }]);
    expect(await readDevice(db, device)).toMatchObject({ private_key: expect.any(String), closed_at: null });
  });

  test("is refused for a tablet in use, until it has ended", async () => {
    const { device } = await armedDevice({ now: NOW, days: 1 });
    expect(await closeDevice(db, device, NOW + 1)).toBe(false);
    expect(await closeDevice(db, device, NOW + DAY)).toBe(true);
  });
});
