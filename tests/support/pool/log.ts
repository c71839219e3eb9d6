import { afterEach, beforeEach, vi } from "vitest";
import { sampledLines } from "#app/server/log.ts";

const lines: string[] = [];

/**
 * Captures console output of each test, and keeps it off the terminal. Starts the count of sampled lines again.
 *
 * @returns the lines of the test that runs, one per call
 */
export function captureLog(): string[] {
  beforeEach(() => {
    lines.length = 0;
    sampledLines.clear();
    for (const method of ["debug", "log", "info", "warn", "error"] as const) {
      vi.spyOn(console, method).mockImplementation((...args) => {
        lines.push(args.map((arg) => (arg instanceof Error ? `${arg.stack}` : String(arg))).join(" "));
      });
    }
  });
  afterEach(() => vi.restoreAllMocks());
  return lines;
}
