import { pageFunctions } from "lighthouse/core/lib/page-functions.js";
import { openTab } from "#scripts/lib/devtools.ts";

/** Lighthouse takes its phone for this many times slower than a fast desktop computer. */
const SLOWDOWN_OF_DESKTOP = 4;

/** The middle of the range that Lighthouse gives for the benchmark of a fast desktop computer. */
const INDEX_OF_DESKTOP = 1_750;

/** Lighthouse's benchmark, which runs in a page for a second. @returns an index, higher on a faster machine */
export const { computeBenchmarkIndex } = pageFunctions;

/**
 * How many times slower Lighthouse's phone is than this machine at present, by Lighthouse's own benchmark: fewer times on
 * a slow or busy machine. https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md#calibrating-the-cpu-slowdown
 *
 * @param index of this machine
 */
export function phoneSlowdownAt(index: number): number {
  return (SLOWDOWN_OF_DESKTOP * index) / INDEX_OF_DESKTOP;
}

/** {@link phoneSlowdownAt}, for the Chromium whose debugger listens on a port. */
export async function phoneSlowdown(port: number): Promise<number> {
  const { call } = await openTab(port);
  const { result } = (await call("Runtime.evaluate", { expression: `(${computeBenchmarkIndex})()` })) as {
    result: { value: number };
  };
  return phoneSlowdownAt(result.value);
}
