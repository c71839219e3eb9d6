import { scaleLinear } from "d3-scale";
import { colour, type Role } from "#app/ui/theme.ts";
import { bars, describeBar, formatValue, ratioToBar } from "#scripts/bench/bars.ts";
import type { BenchResult } from "#scripts/bench/measure.ts";
import type { Comparison, Verdict } from "#scripts/bench/outcome.ts";
import { median } from "#scripts/bench/statistics.ts";

const WIDTH = 760;
const LEFT = 290;
const RIGHT = 170;
const ROW = 26;
const BAR = 14;

/** The scale ends at values twice as good as their bar. */
const MAX_RATIO = 2;

/** The run as an SVG that follows the light or dark scheme. */
export function chart({ verdicts, comparisons }: Pick<BenchResult, "verdicts" | "comparisons">): string {
  const parts: string[] = [];
  let top = 34;
  const add = (heading: string, rows: string[]) => {
    parts.push(text(16, top, heading, "heading"), ...rows.map((row, index) => translated(top + 14 + index * ROW, row)));
    top += 14 + rows.length * ROW + 34;
  };
  add("Each measurement relative to its bar (the line)", verdicts.map(verdictRow));
  for (const comparison of comparisons) add(`${comparison.title}, requests per second`, comparisonRows(comparison));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top - 20}" role="img" aria-labelledby="title">
<title id="title">Benchmarks: each measurement relative to its bar, and requests per second next to bare Workers</title>
<style>${STYLE}</style>
<rect class="paper" width="${WIDTH}" height="${top - 20}" rx="8"/>
${parts.join("\n")}
</svg>
`;
}

const STYLE = `
${colours("light")}
text { font: 13px system-ui, sans-serif; }
.heading { font-weight: 600; font-size: 15px; }
.bar { stroke-width: 2; }
@media (prefers-color-scheme: dark) {
${colours("dark")}
}
`;

function colours(scheme: "light" | "dark"): string {
  const of = (role: Role) => colour(role, scheme);
  return `text, .round { fill: ${of("ink")}; } .bar { stroke: ${of("ink")}; }
.paper { fill: ${of("paper")}; } .track { fill: ${of("border")}; }
.met { fill: ${of("primary")}; } .missed { fill: ${of("error")}; } .control { fill: ${of("control")}; }`;
}

/** The value as a ratio to its bar, which is a line at 1. */
function verdictRow({ id, value, met }: Verdict): string {
  const bar = bars[id];
  const x = scaleLinear([0, MAX_RATIO], [LEFT, WIDTH - RIGHT]).clamp(true);
  const kind = met ? "met" : "missed";
  return [
    text(16, 15, bar.chartLabel),
    rectangle("track", LEFT, x(MAX_RATIO) - LEFT),
    rectangle(kind, LEFT, x(ratioToBar(bar, value)) - LEFT),
    `<line class="bar" x1="${x(1)}" x2="${x(1)}" y1="1" y2="21"/>`,
    text(WIDTH - RIGHT + 10, 15, `${formatValue(value, bar.unit)} ${kind}`),
    `<title>${escaped(`${bar.label}: ${formatValue(value, bar.unit)}, ${describeBar(bar)}`)}</title>`,
  ].join("");
}

/** Each side's median as a bar, with its rounds as dots. */
function comparisonRows({ sides }: Comparison): string[] {
  const fastest = Math.max(...sides.flatMap(({ rates }) => rates));
  const x = scaleLinear([0, fastest], [LEFT, WIDTH - RIGHT]);
  return sides.map(({ name, rates }, index) => {
    const middle = median(rates);
    const dots = rates.map((rate) => `<circle class="round" cx="${x(rate).toFixed(1)}" cy="11" r="2.5"/>`);
    return [
      text(16, 15, name),
      rectangle(index === 0 ? "control" : "met", LEFT, x(middle) - LEFT),
      ...dots,
      text(WIDTH - RIGHT + 10, 15, Math.round(middle).toLocaleString("en-GB")),
    ].join("");
  });
}

function rectangle(kind: string, x: number, width: number): string {
  return `<rect class="${kind}" x="${x}" y="4" width="${Math.max(width, 1).toFixed(1)}" height="${BAR}" rx="2"/>`;
}

function translated(y: number, content: string): string {
  return `<g transform="translate(0 ${y})">${content}</g>`;
}

function text(x: number, y: number, content: string, kind?: string): string {
  return `<text${kind === undefined ? "" : ` class="${kind}"`} x="${x}" y="${y}">${escaped(content)}</text>`;
}

function escaped(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
