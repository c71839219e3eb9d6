import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { notificationHarness } from "#tests/support/pool/notification-harness.ts";

freshDatabaseForEachTest();
captureLog();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const TODAY = "2026-11-21";

/** At three in the night, when there is no digest; with so many mails that wait. */
async function nightRoom(mails = 0) {
  const room = notificationHarness();
  room.at(`${TODAY}T03:00:00Z`);
  for (let n = 0; n < mails; n += 1) await room.join(`ada${n}@example.com`);
  return room;
}

describe("when mail dies", () => {
  test("the owner is told how many and why, once, and not who", async () => {
    const room = await nightRoom(3);
    await room.bury(2);
    await room.bury(1, "mailbox full");
    room.clock.now += 5 * MINUTE;
    await Promise.all([room.news(), room.news()]);
    expect(room.subjects()).toEqual(["mail does not arrive"]);
    expect(room.last()).toContain("Given up after the last try: 3 mails.");
    expect(room.last()).toContain("no such mailbox (2); mailbox full (1)");
    expect(room.last()).not.toContain("@");
    for (let hour = 0; hour < 3; hour += 1) {
      room.clock.now += HOUR;
      await room.news();
    }
    expect(room.subjects()).toHaveLength(1);
  });

  test("mails that die within the hour are told of when it is over", async () => {
    const room = await nightRoom(3);
    await room.bury(1);
    room.clock.now += 5 * MINUTE;
    await room.news();
    await room.bury(2);
    room.clock.now += HOUR - MINUTE;
    await room.news();
    expect(room.subjects()).toHaveLength(1);
    room.clock.now += MINUTE;
    await room.news();
    expect(room.subjects()).toHaveLength(2);
    expect(room.last()).toContain("Given up after the last try: 2 mails.");
  });

  test("an alert that never gets through is not lost: a later one tells of its mails, too", async () => {
    const room = await nightRoom(2);
    await room.bury(1);
    room.state.refusing = true;
    const hours = async (count: number) => {
      for (let passed = 0; passed < count; passed += 3) {
        room.clock.now += 3 * HOUR;
        await room.news();
      }
    };
    // Long enough for an alert to use up its tries, and for the next to begin.
    await hours(72);
    expect(await rows("owner_notices")).toMatchObject([{ kind: "alert", sent_at: null }, { kind: "digest" }]);
    await room.bury(1);
    room.state.refusing = false;
    await hours(24);
    const told = room.texts().flatMap((text) => /last try: (\d+)/.exec(text)?.[1] ?? []);
    expect(told.reduce((sum, mails) => sum + Number(mails), 0)).toBe(2);
  });
});

describe("when far more tries are turned away than usual", () => {
  test("the owner is told, and again when it has doubled, at most hourly", async () => {
    const room = await nightRoom();
    for (let day = 14; day < 21; day += 1) await room.block(`2026-11-${day}`, 30);
    const subjectsAfter = async (count: number, later = 0) => {
      room.clock.now += later;
      await room.block(TODAY, count);
      await room.news();
      return room.subjects().length;
    };
    expect(await subjectsAfter(149)).toBe(0);
    expect(await subjectsAfter(150)).toBe(1);
    expect(room.subjects()).toEqual(["many tries were turned away"]);
    expect(room.last()).toContain("on 2026-11-21 (UTC) so far: 150; on the days before it was 30 on average");
    expect(await subjectsAfter(500)).toBe(1);
    expect(await subjectsAfter(299, HOUR)).toBe(1);
    expect(await subjectsAfter(300)).toBe(2);
    expect(await subjectsAfter(599, 2 * HOUR)).toBe(2);
  });

  test("a few are no news, however unusual, and neither is the usual, however much", async () => {
    const room = await nightRoom();
    await room.block(TODAY, 99);
    await room.news();
    expect(room.subjects()).toEqual([]);
    for (let day = 14; day < 21; day += 1) await room.block(`2026-11-${day}`, 1_000);
    await room.block(TODAY, 4_999);
    await room.news();
    expect(room.subjects()).toEqual([]);
  });
});

test("looking for what died reads no more than that", async () => {
  const plan = "EXPLAIN QUERY PLAN SELECT count(*) FROM mail_outbox WHERE dead_at > 1 AND dead_at <= 2";
  const { results } = await env.DB.prepare(plan).all<{ detail: string }>();
  expect(results.map(({ detail }) => detail)).toEqual([
    "SEARCH mail_outbox USING COVERING INDEX mail_outbox_dead (dead_at>? AND dead_at<?)",
  ]);
});
