import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipBytes } from "#scripts/bench/statistics.ts";
import { mustRun, root } from "#scripts/lib/commands.ts";

const CONFIG = join(root, "build", "server", "wrangler.json");

/** Size of the upload of `wrangler deploy` (bytes, gzip). */
export async function bundleSize(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "waitlist-site-bundle-"));
  try {
    await mustRun("The dry run", "wrangler", ["deploy", "--dry-run", "--config", CONFIG, "--outdir", folder]);
    const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".js")).toSorted();
    return gzipBytes(Buffer.concat(await Promise.all(files.map((file) => readFile(join(folder, file))))));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Measures the CPU time of the Worker's start-up `runs` times, with `wrangler check startup` (milliseconds). */
export async function startUpTimes(runs: number): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), "waitlist-site-startup-"));
  const outfile = join(folder, "startup.cpuprofile");
  const times: number[] = [];
  try {
    for (let run = 0; run < runs; run += 1) {
      const args = ["check", "startup", `--args=--config ${CONFIG}`, "--outfile", outfile];
      await mustRun("Checking the start-up", "wrangler", args);
      times.push(busyTime(JSON.parse(await readFile(outfile, "utf8"))));
    }
    return times;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A profile as V8 writes it. */
interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string } }[];
  /** The node on top of the stack. */
  samples: number[];
  /** Microseconds since the previous sample. */
  timeDeltas: number[];
}

/** The profile's time without idle time (milliseconds). */
function busyTime({ nodes, samples, timeDeltas }: CpuProfile): number {
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id));
  const busy = timeDeltas.filter((_, index) => !idle.has(samples[index] ?? Number.NaN));
  return busy.reduce((total, microseconds) => total + microseconds, 0) / 1_000;
}
