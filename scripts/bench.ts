import { writeFileSync } from "node:fs";
import { join } from "node:path";
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
import { exitCode, runGroups } from "#scripts/bench/run-groups.ts";
import { root } from "#scripts/lib/commands.ts";
import { build } from "#scripts/lib/local-site.ts";
import { readOptions } from "#scripts/lib/options.ts";

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

const { values } = readOptions({
  command: "npm run bench",
  summary: "Measures the production build, next to bare controls where it can, and writes docs/benchmarks.md.",
  options: {
    check: { type: "boolean", description: "fails when a bar is missed" },
    only: { type: "string", value: "GROUP", description: "one group; writes nothing", choices: Object.keys(groups) },
    rounds: { type: "number", description: "rounds of a comparison under load", default: 61 },
    entries: { type: "number", description: "entries of the owner's list", default: 1_000_000 },
    people: { type: "number", description: "recipients of the letter", default: 100_000 },
  },
});

await build();
const chosen = Object.entries(groups).filter(([name]) => values.only === undefined || name === values.only);
const outcome = await runGroups(chosen, values);
if (values.only === undefined) {
  writeFileSync(join(root, "docs", "benchmarks.md"), markdown(outcome));
  console.log("Wrote docs/benchmarks.md.");
}
process.exit(exitCode(outcome, values));
