import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createBlockedCounter } from "#app/server/abuse/blocked-counter.server.ts";
import type { BlockedReason } from "#app/server/db/schema/statistics.server.ts";
import { db, freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const NOON = Date.UTC(2026, 10, 21, 12);

beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

/** A counter, and the writes it passed to `waitUntil`. */
function startCounter(max = 10_000) {
  const counter = createBlockedCounter(max);
  const writes: Promise<unknown>[] = [];
  const deps = { db, waitUntil: (work: Promise<unknown>) => void writes.push(work) };
  return {
    writes,
    count(reason: BlockedReason) {
      counter.count({ ...deps, now: Date.now() }, [[new Date().toISOString().slice(0, 10), reason]]);
    },
  };
}

test("a later attempt reschedules a write that never ran", async () => {
  const counter = startCounter();
  counter.count("body");
  await Promise.all(counter.writes);
  counter.count("body");
  // The platform ended the request, so its timer never fires.
  vi.clearAllTimers();
  vi.setSystemTime(NOON + 10_000);
  counter.count("body");
  await counter.writes.at(-1);
  expect(await rows("blocked_attempts")).toMatchObject([{ reason: "body", count: 3 }]);
});

test("stops once a reason has enough attempts in a day, whatever the isolate, and counts the others and the next day", async () => {
  const attempt = async (reason: BlockedReason) => {
    const counter = startCounter(5);
    counter.count(reason);
    await Promise.all(counter.writes);
  };
  for (let n = 0; n < 9; n += 1) await attempt("rate-limited");
  await attempt("sign-in");
  vi.setSystemTime(NOON + 24 * 3_600_000);
  await attempt("rate-limited");
  expect(await rows("blocked_attempts")).toMatchObject([
    { day: "2026-11-21", reason: "rate-limited", count: 5 },
    { day: "2026-11-21", reason: "sign-in", count: 1 },
    { day: "2026-11-22", reason: "rate-limited", count: 1 },
  ]);
});
