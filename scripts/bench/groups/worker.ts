import type { GroupOptions, Outcome } from "#scripts/bench/outcome.ts";
import { median } from "#scripts/bench/statistics.ts";
import { bundleSizes, startUpTimes } from "#scripts/bench/worker-bundle.ts";

/** Measures the Worker's size and start-up time. */
export async function measureWorker({ short }: GroupOptions): Promise<Outcome> {
  const times = await startUpTimes(short ? 1 : 15);
  const { all, startUp } = await bundleSizes();
  return {
    values: { startUpBundle: startUp, bundle: all, startUp: median(times) },
    tables: [
      {
        title: "CPU time of each start-up, in milliseconds",
        head: times.map((_, index) => String(index + 1)),
        rows: [times.map((time) => time.toFixed(1))],
      },
    ],
  };
}
