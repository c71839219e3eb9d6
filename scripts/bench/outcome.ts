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

const KB = 1024;

const formats = {
  ratio: (value: number) => value.toFixed(2),
  KB: (value: number) => `${(value / KB).toFixed(1)} KB`,
  ms: (value: number) => `${value.toFixed(value < 100 ? 1 : 0)} ms`,
  MB: (value: number) => `${(value / KB / KB).toFixed(0)} MB`,
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
