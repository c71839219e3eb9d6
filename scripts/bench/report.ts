import { bars, describeBar, inUnit } from "#scripts/bench/bars.ts";
import { ratio } from "#scripts/bench/load.ts";
import type { BenchResult } from "#scripts/bench/measure.ts";
import type { Comparison, Table, Verdict } from "#scripts/bench/outcome.ts";
import { median } from "#scripts/bench/statistics.ts";

export interface ReportFacts {
  machine: [name: string, value: string][];
  /** Of the run. */
  date: Date;
}

/** The run as a page of the documentation. */
export function markdown(
  { verdicts, comparisons, tables, reasons }: BenchResult,
  { machine, date }: ReportFacts,
): string {
  const missed = verdicts.filter(({ met }) => !met).length;
  return `# Benchmarks

Made by \`npm run bench\` on ${date.toISOString().slice(0, 10)}, everything in one run on one machine. Ratios are medians of rounds
in which the site and its control took turns, so they mean something on any machine; figures in milliseconds and requests
per second only beside each other.

![How far each figure has come towards its bar, and requests per second beside the controls.](benchmarks.svg)

${missed === 0 ? "Every bar is met." : `${missed} of ${verdicts.length} bars are missed.`}

${table(verdictTable(verdicts))}

## Beside the controls

The load generator, the site and the controls run on the same machine, each Worker in a workerd of its own, called on
workerd's own socket with nothing in between. The bare page Worker returns the bytes and headers that the site answered;
the bare sign-up Worker does the batch that is recorded from the site's own use case, on the same schema. The run fails
when they do anything else. Rate limits are counted in memory, as the platform does: Miniflare's stand-in reads a whole
table for each new client, and what that costs is shown as a side of its own.

Where the load generator comes near a whole core, it and not the Worker sets the pace; the ratio by CPU time, which only
the runtimes' processes go into, says what remains then.

${comparisons.map((comparison) => [titled(comparisonTable(comparison)), ...doubts(comparison)].join("\n\n")).join("\n\n")}

## In detail

${tables.map(titled).join("\n\n")}
${reasons.length === 0 ? "" : `\n## Why bars are missed\n\n${reasons.map(titled).join("\n\n")}\n`}
## The machine

${table({ head: ["", ""], rows: machine })}
`;
}

/** The run for the terminal: one line a bar. */
export function lines(verdicts: Verdict[]): string[] {
  return verdicts.map(({ id, value, met }) => {
    const { what, unit } = bars[id];
    return `${met ? "met   " : "MISSED"}  ${inUnit(value, unit).padStart(12)}  (${describeBar(bars[id])})  ${what}`;
  });
}

function verdictTable(verdicts: Verdict[]): Table {
  const rows = verdicts.map(({ id, value, met }) => [
    bars[id].what,
    describeBar(bars[id]),
    inUnit(value, bars[id].unit),
    met ? "met" : "**missed**",
  ]);
  return { title: "", head: ["what", "bar", "measured", ""], rows };
}

/**
 * Medians of all rounds, and of the ratios to the control, which is the first side: of the rates, and of the rates that
 * the CPU time alone would allow, which other work on the machine does not touch.
 */
export function comparisonTable({ what, sides }: Comparison): Table {
  const [floor] = sides;
  const rows = sides.map((side) => [
    side.name,
    Math.round(median(side.rates)),
    side.rates.map(Math.round).join(", "),
    floor === undefined || side === floor ? "1" : ratio(side, floor).toFixed(2),
    Math.round(median(side.cpu)),
    floor === undefined || side === floor ? "1" : (median(floor.cpu) / median(side.cpu)).toFixed(2),
    `${(median(side.generator) * 100).toFixed(0)} %`,
  ]);
  return {
    title: what,
    head: [
      "",
      "requests/s",
      "round by round",
      "ratio",
      "CPU, µs a request",
      "ratio by CPU",
      "load generator, of a core",
    ],
    rows,
  };
}

/** Rounds of a control that differ by more than this factor were disturbed. */
const STEADY = 1.6;

/** What a reader should know before trusting a ratio of rates. */
export function doubts({ what, sides }: Comparison): string[] {
  const rates = sides[0]?.rates ?? [];
  const factor = Math.max(...rates) / Math.min(...rates);
  if (!(factor > STEADY)) return [];
  return [
    `${what}: rounds of the control differ by a factor of ${factor.toFixed(1)}, so the machine was busy with other things. The ratio by CPU time is the one to go by.`,
  ];
}

function titled(one: Table): string {
  return `### ${one.title}\n\n${table(one)}`;
}

function table({ head, rows }: Pick<Table, "head" | "rows">): string {
  const line = (cells: (string | number)[]) =>
    `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
