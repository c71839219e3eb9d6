import { env } from "cloudflare:test";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { utcDay } from "#app/server/calendar.ts";
import { openDb } from "#app/server/db/client.server.ts";
import type { BlockedReason } from "#app/server/db/schema/statistics.server.ts";
import { createBlockedCounter, WRITE_INTERVAL } from "#app/waitlist/abuse/blocked-counter.server.ts";
import { brokenD1 } from "#tests/support/pool/broken-d1.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";

freshDatabaseForEachTest();
const log = captureLog();

const NOON = Date.UTC(2026, 10, 21, 12);

beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

/** A counter, and the writes it passed to `waitUntil`. */
function startCounter(d1 = env.DB, maxWrites = 100) {
  const counter = createBlockedCounter(maxWrites);
  const writes: Promise<unknown>[] = [];
  const deps = { db: openDb(d1), waitUntil: (work: Promise<unknown>) => void writes.push(work) };
  return {
    writes,
    count: (reason: BlockedReason) => {
      const now = Date.now();
      counter.count({ ...deps, now }, [[utcDay(now), reason]]);
    },
  };
}

test("counts by reason and day, and stores nothing else", async () => {
  const monday = startCounter();
  monday.count("honeypot");
  await Promise.all(monday.writes);
  for (const reason of ["honeypot", "origin", "honeypot"] as const) monday.count(reason);
  await vi.advanceTimersByTimeAsync(WRITE_INTERVAL);
  await Promise.all(monday.writes);
  vi.setSystemTime(NOON + 24 * 3_600_000);
  monday.count("honeypot");
  await Promise.all(monday.writes);
  expect(await rows("blocked_attempts")).toEqual([
    { day: "2026-11-21", reason: "honeypot", count: 3, writes: 2 },
    { day: "2026-11-21", reason: "origin", count: 1, writes: 1 },
    { day: "2026-11-22", reason: "honeypot", count: 1, writes: 1 },
  ]);
});

test("writes the first attempt at once, and the others of an interval together", async () => {
  const flood = startCounter();
  for (let n = 0; n < 5_000; n += 1) flood.count("rate-limited");
  await vi.advanceTimersByTimeAsync(WRITE_INTERVAL);
  await Promise.all(flood.writes);
  expect(flood.writes).toHaveLength(2);
  for (let n = 0; n < 5_000; n += 1) flood.count("rate-limited");
  expect(flood.writes).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(WRITE_INTERVAL);
  await Promise.all(flood.writes);
  expect(await rows("blocked_attempts")).toMatchObject([{ day: "2026-11-21", reason: "rate-limited", count: 10_000 }]);
});

test("adds the counts of two isolates", async () => {
  for (const isolate of [startCounter(), startCounter()]) {
    isolate.count("body");
    await Promise.all(isolate.writes);
  }
  expect(await rows("blocked_attempts")).toMatchObject([{ reason: "body", count: 2 }]);
});

test("a later attempt reschedules a write that never ran", async () => {
  const counter = startCounter();
  counter.count("body");
  await Promise.all(counter.writes);
  counter.count("body");
  // The platform ended the request, so its timer never fires.
  vi.clearAllTimers();
  vi.setSystemTime(NOON + 2 * WRITE_INTERVAL);
  counter.count("body");
  await counter.writes.at(-1);
  expect(await rows("blocked_attempts")).toMatchObject([{ reason: "body", count: 3 }]);
});

test("logs a database failure and does not throw", async () => {
  const counter = startCounter(brokenD1);
  counter.count("body");
  await Promise.all(counter.writes);
  expect(log.map((line) => JSON.parse(line))).toMatchObject([{ event: "blocked-not-counted", counts: 1 }]);
});

test("stops at the rows of a day, all reasons together", async () => {
  const reasons = ["body", "origin", "honeypot"] as const;
  for (let n = 0; n < 9; n += 1) {
    const counter = startCounter(env.DB, 5);
    counter.count(reasons[n % 3] ?? "body");
    await Promise.all(counter.writes);
  }
  const stored = await rows<{ count: number }>("blocked_attempts");
  expect(stored.reduce((sum, { count }) => sum + count, 0)).toBe(5);
  vi.setSystemTime(NOON + 24 * 3_600_000);
  const tomorrow = startCounter(env.DB, 5);
  tomorrow.count("body");
  await Promise.all(tomorrow.writes);
  expect(await rows("blocked_attempts")).toHaveLength(4);
});
