import { afterEach, beforeEach, vi } from "vitest";
import { sampledLines } from "#app/server/log.ts";

/** Captures console output, one line per call, and keeps it off the terminal. Starts the count of sampled lines again. */
export function captureLog(): string[] {
  const lines: string[] = [];
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
