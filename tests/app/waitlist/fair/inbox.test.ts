import { env } from "cloudflare:test";
import * as v from "valibot";
import { beforeEach, describe, expect, test } from "vitest";
import { openDb } from "#app/server/db/client.server.ts";
import { MAX_SIGN_UPS, receive, signUpsSchema } from "#app/waitlist/fair/inbox.server.ts";
import type { SealedSignUp } from "#app/waitlist/fair/protocol.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/database.ts";
import { armedDevice, inbox } from "#tests/support/pool/fair.ts";
import { meteredD1 } from "#tests/support/pool/metered-d1.ts";
import { needs } from "#tests/support/pool/needs.ts";

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
    { ...stored, id: one.id, typed_at: one.at, due_at: NOW, consent_version: "2026-11", sealed: "AAAA" },
    { ...stored, id: two.id, typed_at: two.at, due_at: NOW + 1 },
  ]);
  expect(await tablet.row()).toMatchObject({ received: 2, waiting: 2, last_seen_at: NOW + 1 });
});

test("what was added before is acknowledged, and not stored again", async () => {
  const one = signUp();
  await env.DB.prepare("INSERT INTO fair_sign_ups VALUES (?, ?)").bind(one.id, tablet.device).run();
  expect((await tablet.send([one], NOW)).stored).toEqual([one.id]);
  expect(await inbox()).toEqual([]);
  expect((await tablet.row()).received).toBe(0);
});

test("a request with the same id twice stores it once", async () => {
  const one = signUp();
  await tablet.send([one, one], NOW);
  expect(await inbox()).toHaveLength(1);
  expect((await tablet.row()).received).toBe(1);
});

describe("the time of a sign-up", () => {
  test.each([
    ["when the device was armed", ARMED, ARMED],
    ["now", NOW, NOW],
    ["before the device was armed", ARMED - 1, NOW],
    ["in the future", NOW + 1, NOW],
    ["three hours ahead", NOW + 180 * MINUTE, NOW],
    ["in 1970", 0, NOW],
  ])("%s", async (_name, at, typedAt) => {
    await tablet.send([signUp({ at })], NOW);
    expect(await inbox()).toMatchObject([{ typed_at: typedAt }]);
  });
});

test("times that are not possible are replaced in the order of the sign-ups", async () => {
  const sent = [NOW + 5 * MINUTE, NOW - MINUTE, NOW + 3 * MINUTE, -1].map((at) => signUp({ at }));
  await tablet.send(sent, NOW);
  const times = new Map((await inbox()).map(({ id, typed_at }) => [id, typed_at]));
  expect(sent.map(({ id }) => times.get(id))).toEqual([NOW - 2, NOW - MINUTE, NOW - 1, NOW]);
});

describe("held for the owner", () => {
  test("what comes from a device that has expired", async () => {
    const answer = await tablet.send([signUp()], ARMED + DAY);
    expect(answer).toMatchObject({ state: "expired", stored: [expect.any(String)] });
    expect(await inbox()).toMatchObject([{ state: "held", reason: "expired" }]);
  });

  test("what comes from a device that was revoked; what came before is due", async () => {
    await tablet.send([signUp({ at: NOW - 2 })], NOW);
    await env.DB.exec(`UPDATE fair_devices SET revoked_at = ${NOW}`);
    expect((await tablet.send([signUp({ at: NOW - 1 })], NOW + 1)).state).toBe("revoked");
    expect((await inbox()).map(({ state, reason }) => [state, reason])).toEqual([
      ["due", null],
      ["held", "revoked"],
    ]);
  });

  test("what is beyond the limit of a device", async () => {
    await env.DB.exec(`UPDATE fair_devices SET received = ${MAX_SIGN_UPS - 1}`);
    await tablet.send([signUp({ at: NOW - 2 }), signUp({ at: NOW - 1 })], NOW);
    expect((await inbox()).map(({ state, reason }) => [state, reason])).toEqual([
      ["due", null],
      ["held", "limit"],
    ]);
  });
});

test("what is beyond twice the limit is neither stored nor acknowledged", async () => {
  await env.DB.exec(`UPDATE fair_devices SET received = ${2 * MAX_SIGN_UPS - 1}, revoked_at = ${NOW}`);
  const [first, second] = [signUp(), signUp()];
  expect((await tablet.send([first, second], NOW)).stored).toEqual([first.id]);
  expect(await inbox()).toHaveLength(1);
  expect((await tablet.send([second], NOW)).stored).toEqual([]);
  expect(await tablet.row()).toMatchObject({ waiting: 1 });
});

test("a device that is closed or revoked while a request waits counts as that", async () => {
  const before = await tablet.row();
  const receiveNow = (signUps: SealedSignUp[]) =>
    receive(openDb(env.DB), before, { waiting: 1, hasEnded: false, signUps }, NOW);
  await env.DB.exec(`UPDATE fair_devices SET revoked_at = ${NOW}`);
  expect((await receiveNow([signUp()])).state).toBe("revoked");
  expect(await inbox()).toMatchObject([{ state: "held", reason: "revoked" }]);
  await env.DB.exec(`UPDATE fair_devices SET closed_at = ${NOW}, private_key = NULL`);
  expect(await receiveNow([signUp()])).toEqual({ state: "closed", now: NOW, stored: [] });
  expect(await inbox()).toHaveLength(1);
});

test("when the form was closed is kept until it is open again", async () => {
  const formClosed = async () => (await tablet.row()).form_closed_at;
  await tablet.send([], NOW, 0, true);
  await tablet.send([], NOW + 1, 0, true);
  expect(await formClosed()).toBe(NOW);
  await tablet.send([], NOW + 2, 0, false);
  expect(await formClosed()).toBeNull();
});

test("a closed device's are not stored, because nobody can read them", async () => {
  await env.DB.exec(`UPDATE fair_devices SET closed_at = ${NOW}, private_key = NULL`);
  expect(await tablet.send([signUp()], NOW, 3)).toEqual({ state: "closed", now: NOW, stored: [] });
  expect(await inbox()).toEqual([]);
  expect(await tablet.row()).toMatchObject({ received: 0, last_seen_at: ARMED });
});

test("another device's sign-ups are not its own", async () => {
  const other = await armedDevice({ now: ARMED });
  await tablet.send([signUp({ at: NOW - 2 })], NOW);
  await other.send([signUp({ at: NOW - 1 })], NOW);
  expect((await inbox()).map(({ device_id }) => device_id)).toEqual([tablet.device, other.device]);
});

test("a contact costs one row written and two for each new sign-up", async () => {
  const meter = meteredD1();
  const device = await tablet.row();
  const contact = async (signUps: SealedSignUp[]) => {
    meter.reset();
    await receive(openDb(meter.d1), device, { waiting: signUps.length, hasEnded: false, signUps }, NOW);
    return { statements: meter.executed.length, written: meter.rowsWritten() };
  };
  expect(await contact([])).toEqual({ statements: 2, written: 1 });
  const fifty = Array.from({ length: 50 }, () => signUp());
  expect(await contact(fifty)).toEqual({ statements: 4, written: 101 });
  // Within a minute, nothing new.
  expect(await contact(fifty)).toEqual({ statements: 4, written: 0 });
  expect(await contact([])).toEqual({ statements: 2, written: 0 });
});

const valid = signUp();
const refused: [string, unknown][] = [
  ["no list", { waiting: 1, hasEnded: false }],
  ["a number in place of the list", { waiting: 1, hasEnded: false, signUps: 1 }],
  ["51 sign-ups", { waiting: 51, hasEnded: false, signUps: Array.from({ length: 51 }, () => valid) }],
  ["a waiting count below zero", { waiting: -1, hasEnded: false, signUps: [] }],
  ["a field that is unknown", { waiting: 1, hasEnded: false, signUps: [], key: "x" }],
  ["an id that is no UUID", { waiting: 1, hasEnded: false, signUps: [{ ...valid, id: "1" }] }],
  ["an id in capitals", { waiting: 1, hasEnded: false, signUps: [{ ...valid, id: valid.id.toUpperCase() }] }],
  ["a time that is no number", { waiting: 1, hasEnded: false, signUps: [{ ...valid, at: "1" }] }],
  ["a time with a fraction", { waiting: 1, hasEnded: false, signUps: [{ ...valid, at: 0.5 }] }],
  ["no word on its form", { waiting: 1, signUps: [] }],
  ["a time beyond safe numbers", { waiting: 1, hasEnded: false, signUps: [{ ...valid, at: 1e300 }] }],
  ["a version that is too long", { waiting: 1, hasEnded: false, signUps: [{ ...valid, consent: "a".repeat(65) }] }],
  [
    "sealed text that is not base64url",
    { waiting: 1, hasEnded: false, signUps: [{ ...valid, sealed: "ada@example.com" }] },
  ],
  ["sealed text that is too long", { waiting: 1, hasEnded: false, signUps: [{ ...valid, sealed: "A".repeat(4_001) }] }],
  ["one that has more fields", { waiting: 1, hasEnded: false, signUps: [{ ...valid, email: "ada@example.com" }] }],
];

test.each(refused)("a request is refused with %s", (_name, body) => {
  expect(v.safeParse(signUpsSchema, body).success).toBe(false);
});

test("a request with 50 sign-ups is valid", () => {
  const signUps = Array.from({ length: 50 }, () => ({ ...valid, sealed: "A".repeat(4_000) }));
  expect(v.safeParse(signUpsSchema, { waiting: 500, hasEnded: false, signUps }).success).toBe(true);
});
