import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { receive } from "#app/features/fair/inbox.server.ts";
import type { SealedSignUp } from "#app/features/fair/protocol.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { armedDevice, inbox, withoutJob } from "#tests/features/fair/pool/fair.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { db, freshDatabaseForEachTest, needs, rows } from "#tests/support/pool/start.ts";

needs("fair");
freshDatabaseForEachTest();

const ARMED = Date.UTC(2026, 10, 26, 9);
const MINUTE = 60_000;
const NOW = ARMED + 60 * MINUTE;
const DAY = 24 * 60 * MINUTE;

let tablet: Awaited<ReturnType<typeof armedDevice>>;
beforeEach(async () => {
  tablet = await armedDevice({ now: ARMED });
});

/** A sign-up whose content does not matter. */
const signUp = (given: Partial<SealedSignUp> = {}): SealedSignUp => ({
  id: crypto.randomUUID(),
  at: NOW - MINUTE,
  consent: "2026-11",
  sealed: "AAAA",
  ...given,
});

test("what a tablet sends is stored once and acknowledged each time", async () => {
  const [one, two] = [signUp({ at: NOW - 2 }), signUp({ at: NOW - 1 })];
  expect(await tablet.send([one], NOW, 5)).toEqual({ state: "open", now: NOW, stored: [one.id] });
  expect((await tablet.send([one, two], NOW + 1, 4)).stored).toEqual([one.id, two.id]);
  const stored = { device_id: tablet.device, state: "due", reason: null };
  expect(await inbox()).toMatchObject([
    { ...stored, id: one.id, typed_at: one.at, changed_at: NOW, consent_version: "2026-11", sealed: "AAAA" },
    { ...stored, id: two.id, typed_at: two.at, changed_at: NOW + 1 },
  ]);
  expect([await withoutJob(), (await rows("jobs")).length]).toEqual([[], 1]);
  expect(await tablet.row()).toMatchObject({ received: 2, waiting: 2, last_seen_at: NOW + 1 });
});

test("times before the device was armed or in the future become the present, and the order stays", async () => {
  const times = [NOW + 1, NOW - MINUTE, NOW + 3 * MINUTE, ARMED, ARMED - 1, 0];
  const sent = times.map((at) => signUp({ at }));
  await tablet.send(sent, NOW);
  const stored = new Map((await inbox()).map(({ id, typed_at }) => [id, typed_at]));
  expect(sent.map(({ id }) => stored.get(id))).toEqual([NOW - 3, NOW - MINUTE, NOW - 2, ARMED, NOW - 1, NOW]);
});

describe("held for the owner", () => {
  test("what comes from a device that has expired", async () => {
    const answer = await tablet.send([signUp()], ARMED + DAY);
    expect(answer).toMatchObject({ state: "expired", stored: [expect.any(String)] });
    expect(await inbox()).toMatchObject([{ state: "held", reason: "expired" }]);
  });

  test("what is beyond the limit of a device", async () => {
    await env.DB.exec("UPDATE fair_devices SET received = 1999");
    await tablet.send([signUp({ at: NOW - 2 }), signUp({ at: NOW - 1 })], NOW);
    expect((await inbox()).map(({ state, reason }) => [state, reason])).toEqual([
      ["due", null],
      ["held", "limit"],
    ]);
  });
});

test("what is beyond twice the limit is neither stored nor acknowledged", async () => {
  await env.DB.exec(`UPDATE fair_devices SET received = 3999, revoked_at = ${NOW}`);
  const [first, second] = [signUp(), signUp()];
  expect((await tablet.send([first, second], NOW)).stored).toEqual([first.id]);
  expect(await inbox()).toHaveLength(1);
  expect((await tablet.send([second], NOW)).stored).toEqual([]);
  expect(await tablet.row()).toMatchObject({ waiting: 1 });
});

test("a device that is closed or revoked while a request waits counts as that", async () => {
  const before = await tablet.row();
  const receiveNow = (signUps: SealedSignUp[]) => receive(db, before, { waiting: 1, hasEnded: false, signUps }, NOW);
  await env.DB.exec(`UPDATE fair_devices SET revoked_at = ${NOW}`);
  expect((await receiveNow([signUp()])).state).toBe("revoked");
  expect(await inbox()).toMatchObject([{ state: "held", reason: "revoked" }]);
  await env.DB.exec(`UPDATE fair_devices SET closed_at = ${NOW}, private_key = NULL`);
  const later = NOW + 2 * MINUTE;
  expect(await tablet.send([signUp()], later, 3)).toEqual({ state: "closed", now: later, stored: [] });
  expect(await inbox()).toHaveLength(1);
  expect(await tablet.row()).toMatchObject({ received: 1, waiting: 0, last_seen_at: NOW });
});

test("a contact costs one row written, two for each new sign-up, and two for their job", async () => {
  const meter = meteredD1();
  const device = await tablet.row();
  const contact = async (signUps: SealedSignUp[]) => {
    meter.reset();
    await receive(openDb(meter.d1), device, { waiting: signUps.length, hasEnded: false, signUps }, NOW);
    return { statements: meter.executed.length, written: meter.rowsWritten() };
  };
  expect(await contact([])).toEqual({ statements: 2, written: 1 });
  const fifty = Array.from({ length: 50 }, () => signUp());
  expect(await contact(fifty)).toEqual({ statements: 5, written: 103 });
  // Within a minute, nothing new.
  expect(await contact(fifty)).toEqual({ statements: 5, written: 0 });
  expect(await contact([])).toEqual({ statements: 2, written: 0 });
});
