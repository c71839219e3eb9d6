import { type BarId, bars, type Group, isMet } from "#scripts/bench/bars.ts";
import type { SideResult } from "#scripts/bench/load.ts";

/** A table for the report. */
export interface Table {
  title: string;
  head: string[];
  rows: (string | number)[][];
}

/** Sides that were under load together. */
export interface Comparison {
  what: string;
  sides: SideResult[];
}

/** What a group of measurements came to. */
export interface Outcome {
  figures: Partial<Record<BarId, number>>;
  comparison?: Comparison;
  /** How the figures came about. */
  tables: Table[];
  /** Why a bar was missed. */
  reasons: Table[];
}

export interface GroupOptions {
  /** Seconds and repetitions that a group may use; the short form only shows that everything works. */
  short: boolean;
  /** Profile even what is good enough. */
  profile: boolean;
}

export type Measure = (options: GroupOptions) => Promise<Outcome>;

export interface Verdict {
  id: BarId;
  value: number;
  met: boolean;
}

/** Every bar of the groups that were measured, with its figure; a figure that is missing is a missed bar. */
export function judge(figures: Partial<Record<BarId, number>>, measured: readonly Group[]): Verdict[] {
  const ids = Object.keys(bars) as BarId[];
  return ids
    .filter((id) => measured.includes(bars[id].group))
    .map((id) => ({ id, value: figures[id] ?? Number.NaN }))
    .map(({ id, value }) => ({ id, value, met: isMet(bars[id], value) }));
}

/** Whether a figure needs an explanation. */
export function wantsReason(id: BarId, value: number, { profile }: Pick<GroupOptions, "profile">): boolean {
  return profile || !isMet(bars[id], value);
}
