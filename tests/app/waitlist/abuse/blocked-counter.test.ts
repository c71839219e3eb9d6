import { env } from "cloudflare:test";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDb } from "#app/server/db/client.server.ts";
import { createBlockedCounter, WRITE_INTERVAL } from "#app/waitlist/abuse/blocked-counter.server.ts";
import { brokenD1 } from "#tests/support/pool/broken-d1.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";

freshDatabaseForEachTest();
const log = captureLog();

const NOON = Date.UTC(2026, 10, 21, 12);

beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

/** A tally, and the writes it has asked to be waited for. */
function startTally(d1 = env.DB) {
  const tally = createBlockedCounter();
  const writes: Promise<unknown>[] = [];
  const deps = { db: openDb(d1), now: Date.now, waitUntil: (work: Promise<unknown>) => void writes.push(work) };
  return { writes, count: (reason: Parameters<typeof tally.count>[1]) => tally.count(deps, reason) };
}

test("counts by reason and day, and keeps nothing else", async () => {
  const monday = startTally();
  monday.count("honeypot");
  await Promise.all(monday.writes);
  for (const reason of ["honeypot", "origin", "honeypot"] as const) monday.count(reason);
  await vi.advanceTimersByTimeAsync(WRITE_INTERVAL);
  await Promise.all(monday.writes);
  vi.setSystemTime(NOON + 24 * 3_600_000);
  monday.count("honeypot");
  await Promise.all(monday.writes);
  expect(await rows("blocked_attempts")).toEqual([
    { day: "2026-11-21", reason: "honeypot", count: 3 },
    { day: "2026-11-21", reason: "origin", count: 1 },
    { day: "2026-11-22", reason: "honeypot", count: 1 },
  ]);
});

test("a flood of tries is no flood of writes: the first is written at once, all others of a pause together", async () => {
  const flood = startTally();
  for (let n = 0; n < 5_000; n += 1) flood.count("rate-limited");
  await vi.advanceTimersByTimeAsync(WRITE_INTERVAL);
  await Promise.all(flood.writes);
  expect(flood.writes).toHaveLength(2);
  for (let n = 0; n < 5_000; n += 1) flood.count("rate-limited");
  expect(flood.writes).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(WRITE_INTERVAL);
  await Promise.all(flood.writes);
  expect(await rows("blocked_attempts")).toEqual([{ day: "2026-11-21", reason: "rate-limited", count: 10_000 }]);
});

test("two isolates add up", async () => {
  for (const isolate of [startTally(), startTally()]) {
    isolate.count("body");
    await Promise.all(isolate.writes);
  }
  expect(await rows("blocked_attempts")).toMatchObject([{ reason: "body", count: 2 }]);
});

test("a write that was promised and never made is taken over by a later try", async () => {
  const tally = startTally();
  tally.count("body");
  await Promise.all(tally.writes);
  tally.count("body");
  // The request that promised it was ended: its timer never fires.
  vi.clearAllTimers();
  vi.setSystemTime(NOON + 2 * WRITE_INTERVAL);
  tally.count("body");
  await tally.writes.at(-1);
  expect(await rows("blocked_attempts")).toMatchObject([{ reason: "body", count: 3 }]);
});

test("a database that fails is logged, and nobody notices", async () => {
  const tally = startTally(brokenD1);
  tally.count("body");
  await Promise.all(tally.writes);
  expect(log.map((line) => JSON.parse(line))).toMatchObject([{ event: "blocked-not-counted", tries: 1 }]);
});
