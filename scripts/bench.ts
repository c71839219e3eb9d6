import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bars, type Group, groups } from "#scripts/bench/bars.ts";
import { chart } from "#scripts/bench/chart.ts";
import { describeMachine } from "#scripts/bench/machine.ts";
import { bench } from "#scripts/bench/measure.ts";
import { comparisonTable, markdown, verdictLines, warnings } from "#scripts/bench/report.ts";
import { requireChromium } from "#scripts/lib/chromium.ts";
import { root } from "#scripts/lib/commands.ts";
import { build } from "#scripts/lib/local-site.ts";
import { readOptions } from "#scripts/lib/options.ts";

const { values } = readOptions({
  command: "npm run bench",
  summary: "Benchmarks the production build against bare controls, and writes docs/benchmarks.md and its chart.",
  options: {
    check: { type: "boolean", description: "fails when a bar is missed" },
    only: { type: "string", value: "GROUP", description: "measures one group and writes nothing", choices: groups },
  },
});
const only = groups.find((group) => group === values.only);

await requireChromium();
await build();
const began = Date.now();
const result = await bench({
  ...(only === undefined ? {} : { only: only satisfies Group }),
  short: false,
  progress: (line) => console.log(`${((Date.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${line}`),
});

for (const comparison of result.comparisons) print(comparisonTable(comparison));
for (const table of [...result.tables, ...result.explanations]) print(table);
console.log(`\n${[...verdictLines(result.verdicts), ...result.comparisons.flatMap(warnings)].join("\n")}\n`);
if (only === undefined) {
  const report = markdown(result, { machine: describeMachine(), date: new Date() });
  writeFileSync(join(root, "docs", "benchmarks.md"), report);
  writeFileSync(join(root, "docs", "benchmarks.svg"), chart(result));
  console.log(
    `Wrote docs/benchmarks.md and docs/benchmarks.svg in ${((Date.now() - began) / 60_000).toFixed(1)} minutes.`,
  );
}
const missed = result.verdicts.filter(({ met }) => !met);
if (values.check) for (const { id } of missed) console.error(`Missed: ${bars[id].label}`);
process.exit(values.check && missed.length > 0 ? 1 : 0);

function print({ title, head, rows }: { title: string; head: string[]; rows: (string | number)[][] }): void {
  console.log(`\n${title}`);
  console.table(
    rows.map((row) => Object.fromEntries(row.map((cell, index) => [head[index] || "name", plainText(cell)]))),
  );
}

function plainText(cell: string | number): string | number {
  return typeof cell === "string" ? cell.replaceAll("`", "") : cell;
}
