import { round, type Side } from "#scripts/bench/load.ts";
import { residentMemory } from "#scripts/bench/process-usage.ts";

/** Sampling interval (milliseconds). */
const INTERVAL = 50;

const CONNECTIONS = 16;

export interface MemoryGrowth {
  /** Peak resident memory of workerd during the last requests of the warm-up (bytes). */
  warm: number;
  /** The same during the measured requests. */
  peak: number;
}

/** Rounds of warm-up: with free memory the runtime collects garbage late, so its memory takes long to level off. */
const WARM_UP = 16;

/** Measures how a warm process's peak memory grows over a number of requests. */
export async function measureMemory(side: Side, requests: number): Promise<MemoryGrowth> {
  await round(side, requests * (WARM_UP - 1), CONNECTIONS);
  const warm = await peakWhile(side.pid, () => round(side, requests, CONNECTIONS));
  const peak = await peakWhile(side.pid, () => round(side, requests, CONNECTIONS));
  return { warm, peak };
}

async function peakWhile(pid: number, work: () => Promise<unknown>): Promise<number> {
  let peak = residentMemory(pid);
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMemory(pid));
  }, INTERVAL);
  await work();
  clearInterval(timer);
  return Math.max(peak, residentMemory(pid));
}
