import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atMost, median, type Outcome } from "#scripts/bench/measurement.ts";
import { mustRun, root } from "#scripts/lib/commands.ts";

const RUNS = 5;

/** Measures the CPU time of the Worker's start-up with `wrangler check startup`. Cloudflare allows a second. */
export async function measure(): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), "waitlist-site-start-up-"));
  const outfile = join(folder, "start-up.cpuprofile");
  const config = join(root, "build", "server", "wrangler.json");
  const times: number[] = [];
  try {
    for (let run = 0; run < RUNS; run += 1) {
      const args = ["check", "startup", `--args=--config ${config}`, "--outfile", outfile];
      await mustRun("Checking the start-up", "wrangler", args);
      times.push(busyTime(JSON.parse(await readFile(outfile, "utf8"))));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { figures: [atMost(`Worker start-up, CPU, median of ${RUNS}`, median(times), 150, "ms")], tables: [] };
}

/** A profile as V8 writes it. https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile */
interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string } }[];
  /** The node on top of the stack. */
  samples: number[];
  /** Microseconds since the previous sample. */
  timeDeltas: number[];
}

/**
 * The profile's time between samples that are both busy (milliseconds). Before the first of them the Worker waits for the
 * request that starts it up, and after the last it waits for the profiler to stop; neither is its own time.
 */
export function busyTime({ nodes, samples, timeDeltas }: CpuProfile): number {
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id));
  const isBusy = (node: number | undefined) => node !== undefined && !idle.has(node);
  const busy = timeDeltas.filter((_, index) => isBusy(samples[index - 1]) && isBusy(samples[index]));
  return busy.reduce((total, microseconds) => total + microseconds, 0) / 1_000;
}
