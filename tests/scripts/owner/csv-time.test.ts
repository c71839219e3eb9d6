import { expect, test } from "vitest";
import { escapeFormulas, unescapeFormulas } from "#app/owner/ui/csv.ts";

// In Node, because the clock of the Workers runtime stands still while code runs.

/** Milliseconds of CPU time, which other processes do not lengthen; the shortest of a few runs. */
function timeOf(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const start = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

test.each([
  ["line breaks", "\n"],
  ["line breaks and apostrophes", "\n'"],
  ["separators and quotes", ';"'],
  ["signs", "="],
])("a hostile cell of %s takes time in proportion to its length", (_, unit) => {
  for (const convert of [escapeFormulas, unescapeFormulas]) {
    const [short, long] = [4_000, 64_000].map((length) => `${unit.repeat(length)}x`);
    convert(short ?? "");
    const times = [short, long].map((text) => timeOf(() => convert(text ?? "")));
    // 16 times the length; with time growing by the square it would be 256 times. Measured from half a millisecond up.
    expect((times[1] ?? 0) / Math.max(times[0] ?? 0, 0.5)).toBeLessThan(64);
  }
});
