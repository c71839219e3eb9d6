/** A measurement next to its bar, the threshold that it must reach. */
export interface Figure {
  measurement: string;
  bar: string;
  value: string;
  isMet: boolean;
}

/** A row of a table: its cells by column. */
export type Row = Record<string, string | number>;

/** What a group of measurements found, with details. */
export interface Outcome {
  figures: Figure[];
  /** Rows by the title of their table. */
  tables?: Record<string, Row[]>;
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
export function atLeast(measurement: string, value: number, limit: number, unit: Unit): Figure {
  return { measurement, bar: `at least ${formats[unit](limit)}`, value: formats[unit](value), isMet: value >= limit };
}

/** The value must be at most the limit. Sizes are given in bytes. */
export function atMost(measurement: string, value: number, limit: number, unit: Unit): Figure {
  return { measurement, bar: `at most ${formats[unit](limit)}`, value: formats[unit](value), isMet: value <= limit };
}

/** The upper one of the two in the middle; NaN of nothing. */
export function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/**
 * Measures the site and its control in turns, so that other work on the machine affects both.
 *
 * @param measure takes a value of the site or of the control
 * @returns their values by round, and the median ratio of the site's to the control's
 */
export async function compare(rounds: number, measure: (side: "site" | "control") => Promise<number>) {
  const values = { site: [] as number[], control: [] as number[] };
  const sides = ["site", "control"] as const;
  for (let round = 0; round < rounds; round += 1) {
    // Every other round backwards, so that neither always follows the other.
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) values[side].push(await measure(side));
  }
  const ratio = median(values.site.map((value, round) => value / (values.control[round] ?? Number.NaN)));
  return { ...values, ratio };
}
