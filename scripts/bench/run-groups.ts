import type { Outcome } from "#scripts/bench/outcome.ts";
import { figureLines, printTable } from "#scripts/bench/report.ts";

export interface BenchOptions {
  /** How many rounds each side of a comparison gets. */
  rounds: number;
  /** Entries of the owner's list. */
  entries: number;
  /** Recipients of the letter. */
  people: number;
}

export type Group = (options: BenchOptions) => Promise<Outcome>;

/** Measures groups one after the other, since they share the machine, and prints what they found. */
export async function runGroups(groups: [name: string, measure: Group][], options: BenchOptions): Promise<Outcome> {
  const began = performance.now();
  const outcome: Outcome = { figures: [], tables: [] };
  for (const [name, measure] of groups) {
    const groupBegan = performance.now();
    const { figures, tables } = await measure(options);
    for (const table of tables) printTable(table);
    console.log(`${name} took ${Math.round((performance.now() - groupBegan) / 1_000)} s.`);
    outcome.figures.push(...figures);
    outcome.tables.push(...tables);
  }
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  console.log(`\n${figureLines(outcome.figures)}\n\nMeasured in ${minutes} minutes.`);
  return outcome;
}

/** The exit code of the command: 1 for a missed bar, if they are checked. Names the missed bars. */
export function exitCode({ figures }: Outcome, { check }: { check: boolean }): number {
  const missed = check ? figures.filter(({ met }) => !met) : [];
  for (const { label, value, bar } of missed) console.error(`Missed: ${label} is ${value}, must be ${bar}`);
  return missed.length > 0 ? 1 : 0;
}
