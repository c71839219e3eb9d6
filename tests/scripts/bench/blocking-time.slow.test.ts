import { expect, test } from "vitest";
import { blockingTime } from "#scripts/bench/blocking-time.ts";

const thread = { pid: 1, tid: 2 };

/** In milliseconds. */
const task = (start: number, duration: number, cpuTime: number) => ({
  ...thread,
  name: "ThreadControllerImpl::RunTask",
  ph: "X",
  ts: start * 1_000,
  dur: duration * 1_000,
  tdur: cpuTime * 1_000,
});

const firstPaint = { ...thread, name: "firstContentfulPaint", ph: "I", ts: 100_000, dur: 0 };

test("a task blocks for the CPU time beyond 50 ms that it takes on the phone", () => {
  expect(blockingTime([firstPaint, task(200, 90, 30)], 3)).toBeCloseTo(40);
  expect(blockingTime([firstPaint, task(200, 90, 15), task(300, 15, 15)], 3)).toBe(0);
});

test("of a task that contains the first paint only the share after it counts", () => {
  expect(blockingTime([firstPaint, task(70, 40, 40)], 3)).toBe(0);
  expect(blockingTime([firstPaint, task(90, 40, 40)], 3)).toBeCloseTo(40);
  expect(blockingTime([firstPaint, task(20, 80, 80)], 3)).toBe(0);
});
