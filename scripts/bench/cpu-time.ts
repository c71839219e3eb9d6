import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** CPU time that a process's living threads have used so far (milliseconds); NaN where there is no /proc. */
export function cpuTime(pid: number): number {
  if (process.platform !== "linux") return Number.NaN;
  const threads = readdirSync(`/proc/${pid}/task`);
  // Its first number is in nanoseconds. The times in `stat` are in ticks of ten milliseconds, too coarse for one request.
  const times = threads.map((id) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]));
  return times.reduce((sum, time) => sum + time, 0) / 1_000_000;
}

/** {@link cpuTime}, once the process has been idle for a while: work can go on after a response. */
export async function settledCpuTime(pid: number): Promise<number> {
  let time = cpuTime(pid);
  for (let idle = 0; idle < 3; ) {
    await wait(50);
    const now = cpuTime(pid);
    idle = now - time < 0.3 ? idle + 1 : 0;
    time = now;
  }
  return time;
}
