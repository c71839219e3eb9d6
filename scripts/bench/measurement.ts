/** A measurement next to its bar, the threshold that it must reach. */
export interface Figure {
  label: string;
  value: string;
  bar: string;
  met: boolean;
}

export interface Table {
  title: string;
  head: string[];
  rows: (string | number)[][];
}

/** What a group of measurements found. */
export interface Outcome {
  figures: Figure[];
  /** Details. */
  tables: Table[];
}

export interface BenchOptions {
  /** How many rounds each side of a comparison gets. */
  rounds: number;
  /** Entries of the owner's list. */
  entries: number;
  /** Recipients of the letter. */
  people: number;
}

const KB = 1024;

const formats = {
  ratio: (value: number) => value.toFixed(2),
  KB: (value: number) => `${(value / KB).toFixed(1)} KB`,
  ms: (value: number) => `${value.toFixed(value < 100 ? 1 : 0)} ms`,
  number: (value: number) => String(Number(value.toFixed(3))),
};

type Unit = keyof typeof formats;

/** The value must be at least the limit. NaN, which was not measured, misses every bar. */
export function atLeast(label: string, value: number, limit: number, unit: Unit): Figure {
  return { label, value: formats[unit](value), bar: `at least ${formats[unit](limit)}`, met: value >= limit };
}

/** The value must be at most the limit. Sizes are given in bytes. */
export function atMost(label: string, value: number, limit: number, unit: Unit): Figure {
  return { label, value: formats[unit](value), bar: `at most ${formats[unit](limit)}`, met: value <= limit };
}

/** @param values at least one */
export function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
