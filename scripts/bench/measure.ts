import { type Group, groups } from "#scripts/bench/bars.ts";
import { measureLanding } from "#scripts/bench/groups/landing.ts";
import { measureLighthouse } from "#scripts/bench/groups/lighthouse.ts";
import { measureRuntime } from "#scripts/bench/groups/memory.ts";
import { measurePages } from "#scripts/bench/groups/page.ts";
import { measurePaint } from "#scripts/bench/groups/paint.ts";
import { measureReading } from "#scripts/bench/groups/reading.ts";
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
  only?: Group;
  progress?: (line: string) => void;
}

export interface BenchResult {
  verdicts: Verdict[];
  comparisons: Comparison[];
  tables: Table[];
  explanations: Table[];
}

const measures: Record<Group, Measure> = {
  landing: measureLanding,
  "sign-up": measureSignUp,
  page: measurePages,
  paint: measurePaint,
  reading: measureReading,
  lighthouse: measureLighthouse,
  worker: measureWorker,
  memory: measureRuntime,
};

/** Measures the existing build, one group after the other, since they share the machine. */
export async function bench({ only, progress = () => {}, ...options }: BenchOptions): Promise<BenchResult> {
  const measured = groups.filter((group) => only === undefined || group === only);
  const result: BenchResult = { verdicts: [], comparisons: [], tables: [], explanations: [] };
  for (const group of measured) {
    progress(`measuring: ${group}`);
    const { values, comparison, tables, explanations = [] } = await measures[group](options);
    result.verdicts.push(...judge(values, [group]));
    if (comparison !== undefined) result.comparisons.push(comparison);
    result.tables.push(...tables);
    result.explanations.push(...explanations);
  }
  return result;
}
