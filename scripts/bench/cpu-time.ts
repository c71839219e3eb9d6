import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** Whether this system tells the CPU time of processes and threads; otherwise the functions here return NaN. */
export const hasCpuTimes = existsSync("/proc/self/task");

/** CPU time that a process's living threads have used so far (milliseconds). */
export function cpuTime(pid: number): number {
  if (!hasCpuTimes) return Number.NaN;
  return readdirSync(`/proc/${pid}/task`).reduce((sum, id) => sum + threadTime(pid, id), 0);
}

/**
 * CPU time that a workerd's JavaScript thread has used so far (milliseconds), once it has been idle for a while: work can
 * go on after a response. It is the process's first thread; others compile and collect garbage.
 */
export async function settledThreadTime(pid: number): Promise<number> {
  let time = threadTime(pid);
  for (let idle = 0; idle < 3; ) {
    await wait(50);
    const now = threadTime(pid);
    idle = now - time < 0.3 ? idle + 1 : 0;
    time = now;
  }
  return time;
}

function threadTime(pid: number, id: number | string = pid): number {
  // Its first number is in nanoseconds. The times in `stat` are in ticks of ten milliseconds, too coarse for one request.
  return Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]) / 1_000_000;
}
