import { expect, test } from "vitest";
import { busyTime } from "#scripts/bench/worker-bundle.ts";

test("the wait before a Worker starts up does not count as busy, the time between its samples does", () => {
  const nodes = ["(idle)", "main", "(garbage collector)"].map((functionName, id) => ({
    id,
    callFrame: { functionName },
  }));
  // Idle from 70 ms on, busy from 100 ms on, idle again from 103 ms on.
  const samples = [0, 1, 2, 1, 0];
  const timeDeltas = [70_000, 30_000, 1_000, 1_000, 1_000];
  expect(busyTime({ nodes, samples, timeDeltas })).toBe(3);
});
