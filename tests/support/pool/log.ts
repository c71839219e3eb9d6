import { afterEach, beforeEach, vi } from "vitest";
import { sampled } from "#app/server/log.ts";

/** Captures console output, one line per call, and keeps it off the terminal. No event has reached its limit of lines. */
export function captureLog(): string[] {
  const lines: string[] = [];
  beforeEach(() => {
    lines.length = 0;
    sampled.clear();
    for (const method of ["debug", "log", "info", "warn", "error"] as const) {
      vi.spyOn(console, method).mockImplementation((...args) => {
        lines.push(args.map((arg) => (arg instanceof Error ? `${arg.stack}` : String(arg))).join(" "));
      });
    }
  });
  afterEach(() => vi.restoreAllMocks());
  return lines;
}
