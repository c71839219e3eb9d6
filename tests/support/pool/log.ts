import { afterEach, beforeEach, vi } from "vitest";

/** Captures console output, one line per call, and keeps it off the terminal. */
export function captureLog(): string[] {
  const lines: string[] = [];
  beforeEach(() => {
    lines.length = 0;
    for (const method of ["debug", "log", "info", "warn", "error"] as const) {
      vi.spyOn(console, method).mockImplementation((...args) => {
        lines.push(args.map((arg) => (arg instanceof Error ? `${arg.stack}` : String(arg))).join(" "));
      });
    }
  });
  afterEach(() => vi.restoreAllMocks());
  return lines;
}
