import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Linux's clock tick, the unit of CPU times in /proc (microseconds). */
const TICK = 10_000;

/** Resident memory of a process (bytes). */
export function residentMemory(pid: number): number {
  const { stdout } = spawnSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return Number(stdout.trim()) * 1024;
}

/** CPU time that a process has used so far (microseconds); NaN where there is no /proc. */
export function cpuTime(pid: number): number {
  if (process.platform !== "linux") return Number.NaN;
  // The bracketed name may contain spaces. User and system time are the 14th and 15th field.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}
