import { expect, test } from "vitest";
import { bars, describeBar, formatValue, groups, isMet, ratioToBar } from "#scripts/bench/bars.ts";
import { chart } from "#scripts/bench/chart.ts";
import { ratio, type SideResult } from "#scripts/bench/load.ts";
import { judge } from "#scripts/bench/outcome.ts";
import { markdown, verdictLines, warnings } from "#scripts/bench/report.ts";
import { median } from "#scripts/bench/statistics.ts";

test.each([
  [[3], 3],
  [[9, 1, 5], 5],
  [[4, 1, 3, 2], 2.5],
])("the median of %j is %d", (values, middle) => expect(median(values)).toBe(middle));

test("a ratio is the median over rounds, so that a slowdown of both sides cancels out", () => {
  expect(ratio({ rates: [100, 50, 90] }, { rates: [200, 100, 100] })).toBe(0.5);
});

test.each([
  ["cached", 0.75, true],
  ["cached", 0.749, false],
  ["firstFlight", 15 * 1024, true],
  ["firstFlight", 15 * 1024 + 1, false],
  ["blockingTime", 19.9, true],
  ["blockingTime", 20, false],
  ["blocking", 0, true],
  ["blocking", 1, false],
] as const)("%s of %d meets its bar: %s", (id, value, met) => {
  expect(isMet(bars[id], value)).toBe(met);
  expect(ratioToBar(bars[id], value) >= 1).toBe(met || (id === "blockingTime" && value === 20));
});

test("a missing measurement is a missed bar, and every group has a bar", () => {
  expect(judge({}, groups).every(({ met }) => !met)).toBe(true);
  for (const group of groups) expect(judge({}, [group]).length).toBeGreaterThan(0);
  expect(verdictLines(judge({}, ["memory"]))[0]).toMatch(/^MISSED +not measured/);
});

test.each([
  [describeBar(bars.firstFlight), "at most 15.0 KB"],
  [describeBar(bars.blocking), "0"],
  [formatValue(0.0123, "share"), "1.2 %"],
  [formatValue(0.6, "ratio"), "0.60"],
  [formatValue(7.25, "milliseconds"), "7.3 ms"],
])("%s is formatted as %s", (formatted, expected) => expect(formatted).toBe(expected));

const verdicts = judge({ cached: 0.8, counted: 1, signUp: 0.05 }, ["landing", "sign-up"]);
const sides: [SideResult, SideResult] = [
  { name: "bare <Worker> & co", rates: [1000, 1100, 900], cpu: [80, 90, 70], responses: 9, generator: [0.2, 0.3, 0.1] },
  { name: "the site", rates: [700, 770, 630], cpu: [160, 100, 170], responses: 9, generator: [0.1, 0.1, 0.1] },
];
const result = { verdicts, comparisons: [{ title: "Landing page", sides }], tables: [], explanations: [] };

test("the report lists every measurement and missed bar", () => {
  const report = markdown(result, { machine: [["processor", "two cores"]], date: new Date("2026-01-02T03:04:05Z") });
  expect(report).toContain("1 of 3 bars are missed.");
  expect(report).toContain("| at least 0.85 | 0.05 | **missed** |");
  expect(report).toContain("| at least 0.75 | 0.80 | met |");
  expect(report).toContain("| the site | 700 | 630 to 770 | 0.70 | 160 | 0.50 | 10 % |");
  expect(report).toContain("2026-01-02");
  expect(report).toContain("| processor | two cores |");
});

test("a control with very different rounds causes a warning", () => {
  const [bare, site] = sides;
  expect(warnings({ title: "Landing page", sides: [bare, site] })).toEqual([]);
  const disturbed = { ...bare, rates: [1000, 1100, 1050, 500, 480, 900] };
  expect(warnings({ title: "Landing page", sides: [disturbed, site] })).toEqual([
    expect.stringContaining("differs by a factor of 2.1"),
  ]);
});

test("the chart does not rely on colour, and supports both schemes", () => {
  const drawing = chart(result);
  expect(drawing).toContain("0.80 met");
  expect(drawing).toContain("0.05 missed");
  expect(drawing).toContain("bare &lt;Worker&gt; &amp; co");
  expect(drawing).toContain("prefers-color-scheme: dark");
  expect(drawing).not.toMatch(/NaN|Infinity|undefined/);
});
