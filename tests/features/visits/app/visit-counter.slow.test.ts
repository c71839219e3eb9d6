import { env } from "cloudflare:test";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { addVisits, createVisitCounter, deleteVisitsBefore } from "#app/features/visits/add-visits.server.ts";
import { pages } from "#app/pages.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import type { VisitCounts } from "#app/server/db/schema/statistics.server.ts";
import { meteredD1, quotaD1 } from "#tests/support/pool/d1.ts";
import { db, freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY = "2026-11-21";
const UNLIMITED = Number.MAX_SAFE_INTEGER;
beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

/** The counter of an isolate, and the writes it passed to `waitUntil`. */
function startIsolate(d1 = env.DB, max = UNLIMITED) {
  const counter = createVisitCounter(max);
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
      await vi.advanceTimersByTimeAsync(15_000);
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

/** As many names of campaigns, each with some visits. */
const names = (count: number, visits: number) =>
  addVisits(
    db,
    Array.from({ length: count }, (_, n) => [DAY, "utm_campaign", `random-${n}`, visits]),
    UNLIMITED,
  );

test("2,000 random campaign names do not flood the table, lose a visit or change a known campaign's number", async () => {
  const meter = meteredD1();
  const isolate = startIsolate(meter.d1);
  for (let n = 0; n < 40; n += 1) isolate.visit("autumn_fair");
  await isolate.flush();
  const writesBefore = isolate.writes.length;
  for (let round = 0; round < 2; round += 1) {
    for (let n = 0; n < 1_000; n += 1) isolate.visit(crypto.randomUUID());
    isolate.visit("autumn_fair");
    await isolate.flush();
  }
  const { page, utm_campaign } = await counts();
  expect(page).toEqual({ "/": 2_042 });
  expect(sum(utm_campaign)).toBe(2_042);
  expect(Object.keys(utm_campaign ?? {}).length).toBeLessThanOrEqual(101);
  expect(utm_campaign?.["autumn_fair"]).toBe(42);
  expect(await rows("page_visits")).toHaveLength(1);
  expect(isolate.writes.length - writesBefore).toBeLessThanOrEqual(3);
  // One row for each write, however many counts it holds.
  expect(meter.rowsWritten()).toBeLessThanOrEqual(isolate.writes.length + 1);
});

test("visits are in the database within 16 seconds, so a kill loses no older ones", async () => {
  const isolate = startIsolate();
  const visitedAt: number[] = [];
  for (let second = 0; second < 60; second += 1) {
    isolate.visit("fair");
    visitedAt.push(Date.now());
    await vi.advanceTimersByTimeAsync(1_000);
    // Only the latest write may still wait for its time.
    await Promise.all(isolate.writes.slice(0, -1));
    const old = visitedAt.filter((time) => Date.now() - time >= 16_000).length;
    expect((await counts()).page?.["/"] ?? 0).toBeGreaterThanOrEqual(old);
  }
});

test("adds the visits of two isolates and of two days, with names that have spaces, colons and other scripts", async () => {
  const name = "Frühling  x:y.z 東京";
  for (const isolate of [startIsolate(), startIsolate()]) {
    isolate.visit(name);
    isolate.visit("fair", "2026-11-22");
    await isolate.flush();
  }
  expect(await counts()).toEqual({ page: { "/": 2 }, utm_campaign: { [name]: 2 } });
  expect(await counts("2026-11-22")).toEqual({ page: { "/": 2 }, utm_campaign: { fair: 2 } });
});

test("old days are deleted", async () => {
  for (const day of ["2024-11-20", "2024-11-21", DAY]) await addVisits(db, [[day, "page", "/", 1]], UNLIMITED);
  await deleteVisitsBefore(db, "2024-11-21");
  expect((await rows<{ day: string }>("page_visits")).map(({ day }) => day).toSorted()).toEqual(["2024-11-21", DAY]);
});

test("stop once a day has enough, whatever the isolate and the names, and go on with the next", async () => {
  const meter = meteredD1();
  const visitAll = async (day: string) => {
    for (let visit = 0; visit < 12; visit += 1) {
      const isolate = startIsolate(meter.d1, 10);
      isolate.visit(`random-${visit}`, day);
      await Promise.all(isolate.writes);
    }
  };
  await visitAll(DAY);
  await addVisits(openDb(meter.d1), [[DAY, "utm_campaign", "fair", 500]], 10);
  expect(sum((await counts()).page)).toBe(10);
  expect(sum((await counts()).utm_campaign)).toBe(10);
  expect(meter.rowsWritten()).toBeLessThanOrEqual(11);
  await visitAll("2026-11-22");
  expect(sum((await counts("2026-11-22")).page)).toBe(10);
});

test("a cold isolate's visit reads few rows, however many names the day has", async () => {
  await names(300, 1);
  await addVisits(
    db,
    pages.map(({ path }) => [DAY, "page", path, 1]),
    UNLIMITED,
  );
  const quota = quotaD1();
  for (const campaign of ["random-7", "unheard-of"]) {
    quota.used.read = 0;
    const isolate = startIsolate(quota.d1);
    isolate.visit(campaign);
    await Promise.all(isolate.writes);
    expect(quota.used.read).toBeLessThan(30);
  }
  const { utm_campaign = {} } = await counts();
  expect(utm_campaign["random-7"]).toBe(2);
  expect(utm_campaign["unheard-of"]).toBeUndefined();
  expect(sum(utm_campaign)).toBe(302);
});

test("a name with more visits takes the place of a rarer one, 300 times a day at most; no visit is lost then", async () => {
  await names(100, 1);
  const quota = quotaD1();
  for (let n = 0; n < 320; n += 1)
    await addVisits(openDb(quota.d1), [[DAY, "utm_campaign", `fair-${n}`, 2]], UNLIMITED);
  const { utm_campaign = {} } = await counts();
  expect(utm_campaign).toMatchObject({ "fair-0": 2, "fair-99": 2 });
  expect(sum(utm_campaign)).toBe(740);
  expect(await rows("page_visits")).toMatchObject([{ rankings: 300 }]);
  expect(quota.used.read).toBeLessThan(900_000);
});
