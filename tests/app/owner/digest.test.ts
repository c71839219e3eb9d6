import { expect, test } from "vitest";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { notificationHarness, OWNER } from "#tests/support/pool/notification-harness.ts";

freshDatabaseForEachTest();
const log = captureLog();

test("comes in the morning after somebody joined, once, and not to whom nobody joined", async () => {
  const room = notificationHarness();
  room.at("2026-11-19T09:00:00Z");
  await room.news();
  await room.join("ada@example.com");
  await room.join("bob@example.com");
  for (const time of ["2026-11-19T23:55:00Z", "2026-11-20T06:59:00Z"]) {
    room.at(time);
    await room.news();
  }
  expect(room.subjects()).toEqual([]);
  room.at("2026-11-20T07:00:00Z");
  await Promise.all([room.news(), room.news()]);
  await room.news();
  expect(room.subjects()).toEqual(["2 people joined"]);
  for (const time of ["2026-11-20T23:00:00Z", "2026-11-21T07:00:00Z", "2026-11-22T07:00:00Z"]) {
    room.at(time);
    await room.news();
  }
  expect(room.subjects()).toHaveLength(1);
});

test("tells how many, never who", async () => {
  const room = notificationHarness();
  room.at("2026-11-19T12:00:00Z");
  await room.join("ada@example.com");
  room.at("2026-11-20T08:00:00Z");
  await room.news();
  expect(room.last()).toContain("One person joined the waitlist up to 19 November 2026. On the list now: 1.");
  expect(room.last()).toContain("/owner");
  expect(room.last()).not.toContain("@");
  expect(JSON.stringify(await rows("owner_notices"))).not.toContain("@");
  expect(log.join()).not.toContain("@");
});

test("speaks of the owner's days, and covers those on which it did not come", async () => {
  const room = notificationHarness({ timeZone: "Pacific/Auckland" });
  // Half past midnight on the 20th in Auckland, 13 hours ahead.
  room.at("2026-11-19T11:30:00Z");
  await room.join("ada@example.com");
  room.at("2026-11-19T18:30:00Z");
  await room.news();
  expect(room.subjects()).toEqual([]);
  room.at("2026-11-20T18:00:00Z");
  await room.news();
  expect(room.subjects()).toEqual(["one person joined"]);
  room.at("2026-11-21T12:00:00Z");
  await room.join("bob@example.com");
  room.at("2026-11-22T12:00:00Z");
  await room.join("cyd@example.com");
  // The cron trigger stood still for two days.
  room.at("2026-11-24T20:00:00Z");
  await room.news();
  expect(room.subjects().at(-1)).toBe("2 people joined");
  expect(room.last()).toContain("from 21 November 2026 to 24 November 2026");
});

test("that cannot be sent is tried again, and after a day makes way for one about all its days", async () => {
  const room = notificationHarness();
  room.at("2026-11-19T12:00:00Z");
  await room.join("ada@example.com");
  room.state.refusing = true;
  room.at("2026-11-20T08:00:00Z");
  await room.news();
  await room.join("bob@example.com");
  room.at("2026-11-21T08:00:00Z");
  await room.news();
  expect(room.subjects()).toEqual([]);
  room.state.refusing = false;
  for (let minutes = 0; minutes < 12 * 60; minutes += 5) {
    room.clock.now += 5 * 60_000;
    await room.news();
  }
  expect(room.subjects()).toEqual(["2 people joined"]);
  expect(log.some((line) => line.includes("notification-failed"))).toBe(true);
  expect(log.join()).not.toContain(OWNER);
});

test("that comes late leaves the day its only one, and loses nobody", async () => {
  const room = notificationHarness();
  room.at("2026-11-19T12:00:00Z");
  await room.join("ada@example.com");
  room.state.refusing = true;
  room.at("2026-11-20T23:00:00Z");
  await room.join("bob@example.com");
  await room.news();
  room.state.refusing = false;
  room.at("2026-11-21T06:00:00Z");
  await room.news();
  room.at("2026-11-21T08:00:00Z");
  await room.news();
  expect(room.subjects()).toEqual(["one person joined"]);
  room.at("2026-11-22T08:00:00Z");
  await room.news();
  expect(room.subjects()).toEqual(["one person joined", "one person joined"]);
  expect(room.last()).toContain("from 20 November 2026 to 21 November 2026");
});

test("is neither owed nor sent where there is no owner", async () => {
  const room = notificationHarness({ owner: null });
  room.at("2026-11-19T12:00:00Z");
  await room.join("ada@example.com");
  room.at("2026-11-20T08:00:00Z");
  await room.news();
  expect(await rows("owner_notices")).toEqual([]);
});
