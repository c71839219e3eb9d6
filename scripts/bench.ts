import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Option } from "commander";
import type { Outcome } from "#scripts/bench/measurement.ts";
import { markdown, report } from "#scripts/bench/report.ts";
import { root } from "#scripts/lib/commands.ts";
import { build } from "#scripts/lib/local-site.ts";
import { program, wholeNumber } from "#scripts/lib/program.ts";

/** Each file of the folder measures the group of its name. */
const groups = readdirSync(join(import.meta.dirname, "bench", "groups"), "utf8")
  .map((file) => file.replace(/\.ts$/, ""))
  .toSorted();

const { check, only, rounds } = program(
  "npm run bench",
  "Measures the production build, next to bare controls where it can, and writes docs/benchmarks.md.",
)
  .option("--check", "fail when a bar is missed", false)
  .addOption(new Option("--only <group>", "one group; writes nothing").choices(groups))
  .option("--rounds <number>", "rounds of a comparison under load", wholeNumber, 61)
  .parse()
  .opts<{ check: boolean; only?: string; rounds: number }>();

await build();
const outcome: Required<Outcome> = { figures: [], tables: {} };
// One after the other, since they share the machine.
for (const name of only === undefined ? groups : [only]) {
  const { measure } = await import(`./bench/groups/${name}.ts`);
  const began = performance.now();
  const { figures, tables }: Outcome = await measure(rounds);
  outcome.figures.push(...figures);
  Object.assign(outcome.tables, tables);
  console.log(`${name} took ${Math.round((performance.now() - began) / 1_000)} s.`);
}
console.log(`\n${report(outcome)}\n\nMeasured in ${(performance.now() / 60_000).toFixed(1)} minutes.`);
if (only === undefined) {
  writeFileSync(join(root, "docs", "benchmarks.md"), markdown(outcome));
  console.log("Wrote docs/benchmarks.md.");
}
const missed = check ? outcome.figures.filter(({ isMet }) => !isMet) : [];
for (const { measurement, value, bar } of missed) console.error(`Missed: ${measurement} is ${value}, must be ${bar}`);
process.exit(missed.length > 0 ? 1 : 0);
