import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Resident memory of a process (bytes). */
export function residentMemory(pid: number): number {
  const { stdout } = spawnSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return Number(stdout.trim()) * 1024;
}

/** CPU time that a process's living threads have used so far (microseconds); NaN where there is no /proc. */
export function cpuTime(pid: number): number {
  if (process.platform !== "linux") return Number.NaN;
  const threads = readdirSync(`/proc/${pid}/task`);
  // Its first number is in nanoseconds. The times in `stat` are in ticks of ten milliseconds, too coarse for one round.
  const times = threads.map((id) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]));
  return times.reduce((sum, time) => sum + time, 0) / 1_000;
}
