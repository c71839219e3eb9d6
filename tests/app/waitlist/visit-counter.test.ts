import { env } from "cloudflare:test";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDb } from "#app/server/db/client.server.ts";
import type { VisitCounts } from "#app/server/db/schema/statistics.server.ts";
import { OTHER } from "#app/waitlist/campaign-name.ts";
import {
  addVisits,
  createVisitCounter,
  deleteVisitsBefore,
  MAX_NAMES,
  WRITE_INTERVAL,
} from "#app/waitlist/visit-counter.server.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { meteredD1 } from "#tests/support/pool/metered-d1.ts";

freshDatabaseForEachTest();

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY = "2026-11-21";

beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

/** The counter of an isolate, and the writes it passed to `waitUntil`. */
function startIsolate(d1 = env.DB) {
  const counter = createVisitCounter();
  const writes: Promise<unknown>[] = [];
  const deps = { db: openDb(d1), waitUntil: (work: Promise<unknown>) => void writes.push(work) };
  return {
    writes,
    visit(campaign: string, day = DAY) {
      counter.count({ ...deps, now: Date.now() }, [
        [day, "page", "/"],
        [day, "utm_campaign", campaign],
      ]);
    },
    async flush() {
      await vi.advanceTimersByTimeAsync(WRITE_INTERVAL);
      await Promise.all(writes);
    },
  };
}

async function counts(day = DAY): Promise<VisitCounts> {
  const found = (await rows<{ day: string; counts: string }>("page_visits")).find((row) => row.day === day);
  return JSON.parse(found?.counts ?? "{}");
}

const sum = (numbers: Record<string, number> = {}) =>
  Object.values(numbers).reduce((total, number) => total + number, 0);

test("10,000 random campaign names do not flood the table, lose a visit or change a known campaign's number", async () => {
  const meter = meteredD1();
  const isolate = startIsolate(meter.d1);
  for (let n = 0; n < 40; n += 1) isolate.visit("autumn_fair");
  await isolate.flush();
  const writesBefore = isolate.writes.length;
  for (let round = 0; round < 10; round += 1) {
    for (let n = 0; n < 1_000; n += 1) isolate.visit(crypto.randomUUID());
    isolate.visit("autumn_fair");
    await isolate.flush();
  }
  const { page, utm_campaign } = await counts();
  expect(page).toEqual({ "/": 10_050 });
  expect(sum(utm_campaign)).toBe(10_050);
  expect(Object.keys(utm_campaign ?? {}).length).toBeLessThanOrEqual(MAX_NAMES + 1);
  expect(utm_campaign?.["autumn_fair"]).toBe(50);
  expect(await rows("page_visits")).toHaveLength(1);
  expect(isolate.writes.length - writesBefore).toBeLessThanOrEqual(11);
  // One row for each write, however many counts it holds.
  expect(meter.rowsWritten()).toBeLessThanOrEqual(isolate.writes.length + 1);
});

test("a new campaign takes the place of rarer names on a full day", async () => {
  const db = openDb(env.DB);
  await addVisits(
    db,
    Array.from({ length: 300 }, (_, n) => [DAY, "utm_campaign", `random-${n}`, 1]),
  );
  await addVisits(db, [[DAY, "utm_campaign", "winter_fair", 5]]);
  const { utm_campaign = {} } = await counts();
  expect(utm_campaign["winter_fair"]).toBe(5);
  expect(sum(utm_campaign)).toBe(305);
  expect(utm_campaign[OTHER]).toBe(201);
});

test("visits are in the database within 20 seconds, so a kill loses no older ones", async () => {
  const isolate = startIsolate();
  const visitedAt: number[] = [];
  for (let second = 0; second < 60; second += 1) {
    isolate.visit("fair");
    visitedAt.push(Date.now());
    await vi.advanceTimersByTimeAsync(1_000);
    // Only the latest write may still wait for its time.
    await Promise.all(isolate.writes.slice(0, -1));
    const old = visitedAt.filter((time) => Date.now() - time >= WRITE_INTERVAL + 1_000).length;
    expect((await counts()).page?.["/"] ?? 0).toBeGreaterThanOrEqual(old);
  }
  expect(WRITE_INTERVAL).toBeLessThan(20_000);
});

test("adds the visits of two isolates and of two days", async () => {
  for (const isolate of [startIsolate(), startIsolate()]) {
    isolate.visit("fair");
    isolate.visit("fair", "2026-11-22");
    await isolate.flush();
  }
  expect(await counts()).toEqual({ page: { "/": 2 }, utm_campaign: { fair: 2 } });
  expect(await counts("2026-11-22")).toEqual({ page: { "/": 2 }, utm_campaign: { fair: 2 } });
});

test("names with quotes, spaces and other scripts are stored as they are", async () => {
  const names = ["Frühlingsmarkt 2026", "a b  c", "東京", "x:y"];
  const isolate = startIsolate();
  for (const name of names) isolate.visit(name);
  await isolate.flush();
  expect(Object.keys((await counts()).utm_campaign ?? {}).toSorted()).toEqual(names.toSorted());
});

test("old days are deleted", async () => {
  const db = openDb(env.DB);
  for (const day of ["2024-11-20", "2024-11-21", DAY]) await addVisits(db, [[day, "page", "/", 1]]);
  await deleteVisitsBefore(db, "2024-11-21");
  expect((await rows<{ day: string }>("page_visits")).map(({ day }) => day).toSorted()).toEqual(["2024-11-21", DAY]);
});
