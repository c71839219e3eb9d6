import type { Table } from "#scripts/bench/outcome.ts";
import { brotliBytes } from "#scripts/bench/statistics.ts";

const MAX_ROWS = 12;

/** A table of sizes, largest part first. */
export function explainBytes(title: string, parts: Record<string, number>): Table {
  const rows = Object.entries(parts).toSorted(([, one], [, other]) => other - one);
  return {
    title,
    head: ["part", "bytes"],
    rows: rows.slice(0, MAX_ROWS).map(([name, bytes]) => [`\`${name}\``, bytes]),
  };
}

/** Splits a text into parts by pattern, and returns each part's size and the rest's (bytes, brotli). */
export function partsOf(text: string, patterns: Record<string, RegExp>): Record<string, number> {
  let rest = text;
  const parts: Record<string, number> = {};
  for (const [name, pattern] of Object.entries(patterns)) {
    const found = rest.match(pattern)?.join("") ?? "";
    rest = rest.replaceAll(pattern, "");
    if (found !== "") parts[name] = brotliBytes(found);
  }
  return { ...parts, "the rest": brotliBytes(rest) };
}
