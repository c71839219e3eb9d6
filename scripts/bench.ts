import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Option } from "commander";
import { markdown } from "#scripts/bench/report.ts";
import { type BenchOptions, exitCode, type Group, runGroups } from "#scripts/bench/run-groups.ts";
import { root } from "#scripts/lib/commands.ts";
import { build } from "#scripts/lib/local-site.ts";
import { program, wholeNumber } from "#scripts/lib/program.ts";

/** Each file of the folder measures the group of its name. */
const folder = join(import.meta.dirname, "bench", "groups");
const groups: [name: string, measure: Group][] = [];
for (const name of readdirSync(folder).toSorted()) {
  const { measure } = await import(`./bench/groups/${name}`);
  groups.push([name.replace(/\.ts$/, ""), measure]);
}

const options = program(
  "npm run bench",
  "Measures the production build, next to bare controls where it can, and writes docs/benchmarks.md.",
)
  .option("--check", "fail when a bar is missed", false)
  .addOption(new Option("--only <group>", "one group; writes nothing").choices(groups.map(([name]) => name)))
  .option("--rounds <number>", "rounds of a comparison", wholeNumber, 61)
  .option("--entries <number>", "entries of the owner's list", wholeNumber, 1_000_000)
  .option("--people <number>", "recipients of the letter", wholeNumber, 100_000)
  .parse()
  .opts<BenchOptions & { check: boolean; only?: string }>();

await build();
const chosen = groups.filter(([name]) => options.only === undefined || name === options.only);
const outcome = await runGroups(chosen, options);
if (options.only === undefined) {
  writeFileSync(join(root, "docs", "benchmarks.md"), markdown(outcome));
  console.log("Wrote docs/benchmarks.md.");
}
process.exit(exitCode(outcome, options));
