// Measures the production build beside bare controls, in one run, and writes docs/benchmarks.md and its chart.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bars, type Group, groups } from "#scripts/bench/bars.ts";
import { chart } from "#scripts/bench/chart.ts";
import { describeMachine } from "#scripts/bench/machine.ts";
import { bench } from "#scripts/bench/measure.ts";
import { comparisonTable, doubts, lines, markdown } from "#scripts/bench/report.ts";
import { requireChromium } from "#scripts/lib/chromium.ts";
import { root } from "#scripts/lib/commands.ts";
import { build } from "#scripts/lib/local-site.ts";

const { values } = parseArgs({
  options: {
    // Non-zero when a bar is missed.
    check: { type: "boolean", default: false },
    // One group of figures; nothing is written then.
    only: { type: "string" },
    // Say why, even where a bar is met.
    profile: { type: "boolean", default: false },
  },
});
const only = groups.find((group) => group === values.only);
if (values.only !== undefined && only === undefined) {
  console.error(`--only takes one of ${groups.join(", ")}`);
  process.exit(2);
}

await requireChromium();
await build();
const began = Date.now();
const result = await bench({
  ...(only === undefined ? {} : { only: only satisfies Group }),
  short: false,
  profile: values.profile,
  progress: (line) => console.log(`${((Date.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${line}`),
});

for (const comparison of result.comparisons) print(comparisonTable(comparison));
for (const table of [...result.tables, ...result.reasons]) print(table);
console.log(`\n${[...lines(result.verdicts), ...result.comparisons.flatMap(doubts)].join("\n")}\n`);
if (only === undefined) {
  const report = markdown(result, { machine: describeMachine(), date: new Date() });
  writeFileSync(join(root, "docs", "benchmarks.md"), report);
  writeFileSync(join(root, "docs", "benchmarks.svg"), chart(result));
  console.log(
    `Written in ${((Date.now() - began) / 60_000).toFixed(1)} minutes: docs/benchmarks.md, docs/benchmarks.svg`,
  );
}
const missed = result.verdicts.filter(({ met }) => !met);
if (values.check) for (const { id } of missed) console.error(`Missed: ${bars[id].what}`);
process.exit(values.check && missed.length > 0 ? 1 : 0);

function print({ title, head, rows }: { title: string; head: string[]; rows: (string | number)[][] }): void {
  console.log(`\n${title}`);
  console.table(rows.map((row) => Object.fromEntries(row.map((cell, index) => [head[index] || "what", plain(cell)]))));
}

function plain(cell: string | number): string | number {
  return typeof cell === "string" ? cell.replaceAll("`", "") : cell;
}
