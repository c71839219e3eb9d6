import { env } from "cloudflare:test";
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { closeDevice, listDevices, makeDevice, readDevice, revokeDevice } from "#app/features/fair/devices.server.ts";
import { acceptSignUps, discardSignUps } from "#app/features/fair/review.server.ts";
import { addJob } from "#app/server/queue.server.ts";
import { armedDevice, decided, inbox, withoutJob } from "#tests/features/fair/pool/fair.ts";
import { db, execute, freshDatabaseForEachTest, needs, rows } from "#tests/support/pool/start.ts";

needs("fair");
freshDatabaseForEachTest();

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
  test.each([
    ["Frühlingsmarkt 2026", "fr_hlingsmarkt_2026"],
    ["春の市", "fair"],
  ])("gives the event %s the source %s", async (event, source) => {
    const { id } = await made({ event });
    expect(await readDevice(db, id)).toMatchObject({ event, source });
  });

  test("is refused while 20 are not closed", async () => {
    const first = await made();
    for (let n = 1; n < 20; n += 1) await made();
    expect(await makeDevice(db, { event: "One more", days: 1 }, NOW)).toBeNull();
    expect(await closeDevice(db, first.id, NOW)).toBe(true);
    expect(await makeDevice(db, { event: "One more", days: 1 }, NOW)).not.toBeNull();
    expect((await listDevices(db)).map(({ closed_at }) => closed_at)).toEqual([...Array(20).fill(null), NOW]);
  });
});

describe("revoking", () => {
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
});

describe("what is held", () => {
  test("becomes due when it is accepted, but for what cannot be added or came later than the page", async () => {
    const { device, ids } = await withHeld("ada@example.com", "bob@example.com", "not an address", "late@example.com");
    await env.DB.prepare("UPDATE fair_inbox SET reason = 'address' WHERE id = ?").bind(ids[2]).run();
    await execute("UPDATE fair_inbox SET changed_at = ? WHERE id = ?", NOW + 60_000, ids[3]);
    expect(await acceptSignUps(db, { device, seenAt: NOW + 10 }, NOW + 20)).toBe(2);
    expect(await acceptSignUps(db, { device, seenAt: NOW + 10 }, NOW + 30)).toBe(0);
    expect([await withoutJob(), (await rows("jobs")).length]).toEqual([[], 1]);
    expect((await inbox()).map(({ state, reason, changed_at }) => [state, reason, changed_at - NOW])).toEqual([
      ["due", null, 20],
      ["due", null, 20],
      ["held", "address", 1],
      ["held", "revoked", 60_000],
    ]);
  });

  test("is not stored again once it is discarded, and other devices keep theirs", async () => {
    const { device, ids, send, sealed } = await withHeld("ada@example.com", "bob@example.com");
    const other = await withHeld("eve@example.com");
    expect(await discardSignUps(db, { device, seenAt: NOW + 10 })).toBe(2);
    expect(await inbox()).toMatchObject([{ device_id: other.device }]);
    const again = await send([await sealed("ada@example.com", { id: ids[0] ?? "" })], NOW + 20);
    expect(again.stored).toEqual([ids[0]]);
    expect(await inbox()).toHaveLength(1);
    expect(await discardSignUps(db, { device, seenAt: NOW + 10 })).toBe(0);
  });
});

describe("closing", () => {
  test("destroys the private key and deletes what is held, with the ids that were kept", async () => {
    const { device, send, sealed } = await withHeld("ada@example.com", "bob@example.com");
    const other = await withHeld("eve@example.com");
    await discardSignUps(db, { device, seenAt: NOW + 10 });
    await send([await sealed("dan@example.com")], NOW + 11);
    expect([await decided(), (await inbox()).length]).toEqual([2, 2]);
    await addJob(db, { kind: "fair", subject: device, next_attempt_at: NOW }, sql`1`);
    expect(await closeDevice(db, device, NOW + 12)).toBe(true);
    expect(await rows("jobs")).toEqual([]);
    expect(await readDevice(db, device)).toMatchObject({ private_key: null, closed_at: NOW + 12 });
    expect(await inbox()).toMatchObject([{ device_id: other.device }]);
    expect(await decided()).toBe(0);
    expect(await send([await sealed("dan@example.com")], NOW + 13)).toMatchObject({ state: "closed", stored: [] });
    expect(await closeDevice(db, device, NOW + 14)).toBe(false);
  });

  test.each(["due", "put-off"])("is refused while sign-ups are %s, and changes nothing then", async (state) => {
    const { device } = await withHeld("ada@example.com");
    await acceptSignUps(db, { device, seenAt: NOW + 10 }, NOW + 11);
    await execute("UPDATE fair_inbox SET state = ?", state);
    expect(await closeDevice(db, device, NOW + 12)).toBe(false);
    expect(await inbox()).toMatchObject([{ state }]);
    expect(await readDevice(db, device)).toMatchObject({ private_key: expect.any(String), closed_at: null });
  });

  test("is refused for a tablet in use, until it has ended", async () => {
    const { device } = await armedDevice({ now: NOW, days: 1 });
    expect(await closeDevice(db, device, NOW + 1)).toBe(false);
    expect(await closeDevice(db, device, NOW + DAY)).toBe(true);
  });
});
