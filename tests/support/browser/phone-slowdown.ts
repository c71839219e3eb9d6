import type { Page } from "@playwright/test";
import { pageFunctions } from "lighthouse/core/lib/page-functions.js";

/** Lighthouse takes its phone for this many times slower than a fast desktop computer. */
const SLOWDOWN_OF_DESKTOP = 4;

/** The middle of the range that Lighthouse gives for the benchmark of a fast desktop computer. */
const INDEX_OF_DESKTOP = 1_750;

/**
 * How many times slower Lighthouse's phone is than this machine at present, by Lighthouse's own benchmark: fewer times on
 * a slow or busy machine. https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md#calibrating-the-cpu-slowdown
 *
 * @param page any, in which the benchmark runs for a second
 */
export async function phoneSlowdown(page: Page): Promise<number> {
  const index = await page.evaluate(pageFunctions.computeBenchmarkIndex);
  return (SLOWDOWN_OF_DESKTOP * index) / INDEX_OF_DESKTOP;
}
