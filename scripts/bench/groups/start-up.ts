import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { Profiler } from "node:inspector";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atMost, median, type Outcome } from "#scripts/bench/measurement.ts";
import { mustRun, root } from "#scripts/lib/commands.ts";

const RUNS = 3;

/** Measures the CPU time of the Worker's start-up with `wrangler check startup`. Cloudflare allows a second. */
export async function measure(): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), "waitlist-site-start-up-"));
  const outfile = join(folder, "start-up.cpuprofile");
  const config = join(root, "build", "server", "wrangler.json");
  const times: number[] = [];
  while (times.length < RUNS) {
    const args = ["check", "startup", `--args=--config ${config}`, "--outfile", outfile];
    await mustRun("Checking the start-up", "wrangler", args);
    times.push(busyTime(JSON.parse(await readFile(outfile, "utf8"))));
  }
  await rm(folder, { recursive: true });
  return { figures: [atMost(`Worker start-up, CPU, median of ${RUNS}`, median(times), 150, "ms")] };
}

/**
 * The profile's time between samples that are both busy (milliseconds). Before the first of them the Worker waits for the
 * request that starts it up, and after the last it waits for the profiler to stop; neither is its own time.
 */
export function busyTime({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): number {
  const idle = nodes.find(({ callFrame }) => callFrame.functionName === "(idle)")?.id;
  const busy = timeDeltas.filter((_, index) => index > 0 && samples[index - 1] !== idle && samples[index] !== idle);
  return busy.reduce((total, microseconds) => total + microseconds, 0) / 1_000;
}
