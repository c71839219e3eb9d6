import { type Group, groups } from "#scripts/bench/bars.ts";
import { measureLanding } from "#scripts/bench/groups/landing.ts";
import { measureLighthouse } from "#scripts/bench/groups/lighthouse.ts";
import { measureRuntime } from "#scripts/bench/groups/memory.ts";
import { measurePages } from "#scripts/bench/groups/page.ts";
import { measurePaint } from "#scripts/bench/groups/paint.ts";
import { measureSignUp } from "#scripts/bench/groups/sign-up.ts";
import { measureWorker } from "#scripts/bench/groups/worker.ts";
import {
  type Comparison,
  type GroupOptions,
  judge,
  type Measure,
  type Table,
  type Verdict,
} from "#scripts/bench/outcome.ts";

export interface BenchOptions extends GroupOptions {
  /** Measure only this. */
  only?: Group;
  /** Told how far it is. */
  progress?: (line: string) => void;
}

/** Everything that one run found out. */
export interface BenchResult {
  verdicts: Verdict[];
  comparisons: Comparison[];
  tables: Table[];
  reasons: Table[];
}

const measures: Record<Group, Measure> = {
  landing: measureLanding,
  "sign-up": measureSignUp,
  page: measurePages,
  paint: measurePaint,
  lighthouse: measureLighthouse,
  worker: measureWorker,
  memory: measureRuntime,
};

/** Measures the build as it is, one group after the other, since they share the machine. */
export async function bench({ only, progress = () => {}, ...options }: BenchOptions): Promise<BenchResult> {
  const measured = groups.filter((group) => only === undefined || group === only);
  const result: BenchResult = { verdicts: [], comparisons: [], tables: [], reasons: [] };
  for (const group of measured) {
    progress(`measuring: ${group}`);
    const { figures, comparison, tables, reasons } = await measures[group](options);
    result.verdicts.push(...judge(figures, [group]));
    if (comparison !== undefined) result.comparisons.push(comparison);
    result.tables.push(...tables);
    result.reasons.push(...reasons);
  }
  return result;
}
