import { readdir, readFile } from "node:fs/promises";
import type { RunningSite } from "#scripts/lib/running-site.ts";

export interface ExportReport {
  lines: number;
  megabytes: number;
  seconds: number;
  /** Resident memory of the runtime (MB): before the export, and the peak in each quarter of it. */
  before: number;
  peaks: number[];
}

const MB = 1_048_576;

/** Downloads the whole export while sampling the runtime's memory. */
export async function measureExport(site: RunningSite, cookie: string): Promise<ExportReport> {
  const before = await runtimeMemory(site.pid);
  const samples: { bytes: number; memory: number }[] = [];
  const began = performance.now();
  const response = await fetch(`${site.url}/owner/export.csv`, {
    method: "POST",
    headers: { Cookie: cookie },
    body: new URLSearchParams({ format: "csv", people: "all" }),
  });
  if (response.status !== 200 || response.body === null) throw new Error(`The export returned ${response.status}`);
  let [bytes, lines, sampled] = [0, 0, 0];
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    for (const byte of chunk) if (byte === 10) lines += 1;
    if (performance.now() - sampled < 50) continue;
    sampled = performance.now();
    samples.push({ bytes, memory: await runtimeMemory(site.pid) });
  }
  const peaks = [0, 1, 2, 3].map((quarter) =>
    Math.max(
      0,
      ...samples.filter((at) => Math.floor((at.bytes / (bytes + 1)) * 4) === quarter).map(({ memory }) => memory),
    ),
  );
  const seconds = (performance.now() - began) / 1_000;
  return { lines, megabytes: bytes / MB, seconds, before: before / MB, peaks: peaks.map((peak) => peak / MB) };
}

/** Samples the runtime's memory until it is stopped, which returns the peak in each quarter of the time (MB). */
export async function memorySampler(group: number) {
  const samples = [await runtimeMemory(group)];
  const timer = setInterval(async () => void samples.push(await runtimeMemory(group)), 100);
  return {
    stop: async () => {
      clearInterval(timer);
      samples.push(await runtimeMemory(group));
      const size = Math.ceil(samples.length / 4);
      const peaks = [0, 1, 2, 3].map((quarter) => Math.max(0, ...samples.slice(quarter * size, (quarter + 1) * size)));
      return { before: (samples[0] ?? 0) / MB, peaks: peaks.map((peak) => peak / MB) };
    },
  };
}

/** Resident memory of all workerd processes in a process group (bytes). */
async function runtimeMemory(group: number): Promise<number> {
  let total = 0;
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    // The process may have ended since it was listed.
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    const [, command, rest = ""] = /\((.*)\) (.*)/s.exec(stat) ?? [];
    if (command !== "workerd" || Number(rest.split(" ")[2]) !== group) continue;
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    total += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1_024;
  }
  return total;
}
