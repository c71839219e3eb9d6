import { env } from "cloudflare:test";

/** The cases that run, for a file named `*.matrix.test.ts`: all of them, or with `npm test` every seventh. */
export function sampleCases<T>(all: readonly T[]): T[] {
  return env.FUZZ_FACTOR === 1 ? [...all] : all.filter((_, index) => index % 7 === 0);
}
