import { round, type Side } from "#scripts/bench/load.ts";
import { residentMemory } from "#scripts/bench/process-usage.ts";

/** Between two looks at the memory (milliseconds). */
const INTERVAL = 50;

export interface MemoryGrowth {
  /** Highest resident memory of workerd during the last requests of the warm-up (bytes). */
  warm: number;
  /** The same during the requests that are measured. */
  peak: number;
}

/** The runtime collects garbage late while there is memory left: about so many times the requests until it levels off. */
const WARM_UP = 16;

/** How a process's peak memory grows over a number of requests, once it is warm. */
export async function measureMemory(side: Side, requests: number): Promise<MemoryGrowth> {
  await round(side, requests * (WARM_UP - 1), CONNECTIONS);
  const warm = await peakWhile(side.pid, () => round(side, requests, CONNECTIONS));
  const peak = await peakWhile(side.pid, () => round(side, requests, CONNECTIONS));
  return { warm, peak };
}

const CONNECTIONS = 16;

async function peakWhile(pid: number, work: () => Promise<unknown>): Promise<number> {
  let peak = residentMemory(pid);
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMemory(pid));
  }, INTERVAL);
  await work();
  clearInterval(timer);
  return Math.max(peak, residentMemory(pid));
}
