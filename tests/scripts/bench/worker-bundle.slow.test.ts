import { expect, test } from "vitest";
import { busyTime } from "#scripts/bench/worker-bundle.ts";

test("the waits before and after a Worker starts up do not count as busy, the time between does", () => {
  const nodes = ["(idle)", "main", "(garbage collector)"].map((functionName, id) => ({
    id,
    callFrame: { functionName },
  }));
  // Idle at 70 ms, busy from 100 ms to 102 ms, idle again at 120 ms.
  const samples = [0, 1, 2, 1, 0];
  const timeDeltas = [70_000, 30_000, 1_000, 1_000, 18_000];
  expect(busyTime({ nodes, samples, timeDeltas })).toBe(2);
});
