import { type BarId, bars, type Group, isMet } from "#scripts/bench/bars.ts";
import type { SideResult } from "#scripts/bench/load.ts";

export interface Table {
  title: string;
  head: string[];
  rows: (string | number)[][];
}

/** Sides that were put under load together, the control first. */
export interface Comparison {
  title: string;
  sides: SideResult[];
}

/** The result of a group of measurements. */
export interface Outcome {
  values: Partial<Record<BarId, number>>;
  comparison?: Comparison;
  /** Details of the measurements. */
  tables: Table[];
  /** Details of missed bars. */
  explanations?: Table[];
}

export interface GroupOptions {
  /** Measures briefly, only to show that everything works. */
  short: boolean;
}

export type Measure = (options: GroupOptions) => Promise<Outcome>;

export interface Verdict {
  id: BarId;
  value: number;
  met: boolean;
}

/** Compares the values of the measured groups with their bars. A missing value is a missed bar. */
export function judge(values: Partial<Record<BarId, number>>, measured: readonly Group[]): Verdict[] {
  const ids = Object.keys(bars) as BarId[];
  return ids
    .filter((id) => measured.includes(bars[id].group))
    .map((id) => ({ id, value: values[id] ?? Number.NaN }))
    .map(({ id, value }) => ({ id, value, met: isMet(bars[id], value) }));
}
