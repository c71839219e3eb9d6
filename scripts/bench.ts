import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Option } from "commander";
import type { BenchOptions, Outcome } from "#scripts/bench/measurement.ts";
import { figureTable, markdown, markdownTable } from "#scripts/bench/report.ts";
import { root } from "#scripts/lib/commands.ts";
import { build } from "#scripts/lib/local-site.ts";
import { program, wholeNumber } from "#scripts/lib/program.ts";

/** Each file of the folder measures the group of its name. */
const groups = readdirSync(join(import.meta.dirname, "bench", "groups")).map((file) => file.replace(/\.ts$/, ""));

const options = program(
  "npm run bench",
  "Measures the production build, next to bare controls where it can, and writes docs/benchmarks.md.",
)
  .option("--check", "fail when a bar is missed", false)
  .addOption(new Option("--only <group>", "one group; writes nothing").choices(groups.toSorted()))
  .option("--rounds <number>", "rounds of a comparison", wholeNumber, 61)
  .option("--entries <number>", "entries of the owner's list", wholeNumber, 1_000_000)
  .option("--people <number>", "recipients of the letter", wholeNumber, 100_000)
  .parse()
  .opts<BenchOptions & { check: boolean; only?: string }>();

await build();
const outcome: Outcome = { figures: [], tables: [] };
// One after the other, since they share the machine.
for (const name of options.only === undefined ? groups.toSorted() : [options.only]) {
  const { measure } = await import(`./bench/groups/${name}.ts`);
  const began = performance.now();
  const { figures, tables }: Outcome = await measure(options);
  for (const table of tables) console.log(`\n${table.title}\n\n${markdownTable(table)}`);
  console.log(`\n${name} took ${Math.round((performance.now() - began) / 1_000)} s.`);
  outcome.figures.push(...figures);
  outcome.tables.push(...tables);
}
console.log(`\n${figureTable(outcome.figures)}\n\nMeasured in ${(performance.now() / 60_000).toFixed(1)} minutes.`);
if (options.only === undefined) {
  writeFileSync(join(root, "docs", "benchmarks.md"), markdown(outcome));
  console.log("Wrote docs/benchmarks.md.");
}
const missed = options.check ? outcome.figures.filter(({ met }) => !met) : [];
for (const { label, value, bar } of missed) console.error(`Missed: ${label} is ${value}, must be ${bar}`);
process.exit(missed.length > 0 ? 1 : 0);
