import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Option } from "commander";
import { measureCpu } from "#scripts/bench/groups/cpu.ts";
import { measureLanding } from "#scripts/bench/groups/landing.ts";
import { measureLetters } from "#scripts/bench/groups/letters.ts";
import { measureLighthouse } from "#scripts/bench/groups/lighthouse.ts";
import { measureOwner } from "#scripts/bench/groups/owner.ts";
import { measurePaint } from "#scripts/bench/groups/paint.ts";
import { measureSignUp } from "#scripts/bench/groups/sign-up.ts";
import { measureStartUp } from "#scripts/bench/groups/start-up.ts";
import { measureWeight } from "#scripts/bench/groups/weight.ts";
import { markdown } from "#scripts/bench/report.ts";
import { type BenchOptions, exitCode, runGroups } from "#scripts/bench/run-groups.ts";
import { root } from "#scripts/lib/commands.ts";
import { build } from "#scripts/lib/local-site.ts";
import { program, wholeNumber } from "#scripts/lib/program.ts";

const groups = {
  landing: measureLanding,
  "sign-up": measureSignUp,
  weight: measureWeight,
  paint: measurePaint,
  lighthouse: measureLighthouse,
  "start-up": measureStartUp,
  cpu: measureCpu,
  letters: measureLetters,
  owner: measureOwner,
};

const options = program(
  "npm run bench",
  "Measures the production build, next to bare controls where it can, and writes docs/benchmarks.md.",
)
  .option("--check", "fail when a bar is missed", false)
  .addOption(new Option("--only <group>", "one group; writes nothing").choices(Object.keys(groups)))
  .option("--rounds <number>", "rounds of a comparison", wholeNumber, 61)
  .option("--entries <number>", "entries of the owner's list", wholeNumber, 1_000_000)
  .option("--people <number>", "recipients of the letter", wholeNumber, 100_000)
  .parse()
  .opts<BenchOptions & { check: boolean; only?: string }>();

await build();
const chosen = Object.entries(groups).filter(([name]) => options.only === undefined || name === options.only);
const outcome = await runGroups(chosen, options);
if (options.only === undefined) {
  writeFileSync(join(root, "docs", "benchmarks.md"), markdown(outcome));
  console.log("Wrote docs/benchmarks.md.");
}
process.exit(exitCode(outcome, options));
