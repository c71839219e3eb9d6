import { expect, test } from "vitest";
import { bars, describeBar, groups, inUnit, isMet, reached } from "#scripts/bench/bars.ts";
import { chart } from "#scripts/bench/chart.ts";
import { selfTimes, topShares } from "#scripts/bench/cpu-profile.ts";
import { ratio, type SideResult } from "#scripts/bench/load.ts";
import { judge } from "#scripts/bench/outcome.ts";
import { doubts, lines, markdown } from "#scripts/bench/report.ts";
import { median } from "#scripts/bench/statistics.ts";

test.each([
  [[3], 3],
  [[9, 1, 5], 5],
  [[4, 1, 3, 2], 2.5],
])("the median of %j is %d", (values, middle) => expect(median(values)).toBe(middle));

test("a ratio is taken round by round, so that what slows both sides cancels out", () => {
  expect(ratio({ rates: [100, 50, 90] }, { rates: [200, 100, 100] })).toBe(0.5);
});

test.each([
  ["cached", 0.6, true],
  ["cached", 0.599, false],
  ["firstFlight", 14 * 1024, true],
  ["firstFlight", 14 * 1024 + 1, false],
  ["blockingTime", 19.9, true],
  ["blockingTime", 20, false],
  ["blocking", 0, true],
  ["blocking", 1, false],
] as const)("%s of %d is good enough: %s", (id, value, met) => {
  expect(isMet(bars[id], value)).toBe(met);
  expect(reached(bars[id], value) >= 1).toBe(met || (id === "blockingTime" && value === 20));
});

test("what was not measured is missed, and every group has a bar", () => {
  expect(judge({}, groups).every(({ met }) => !met)).toBe(true);
  for (const group of groups) expect(judge({}, [group]).length).toBeGreaterThan(0);
  expect(lines(judge({}, ["memory"]))[0]).toMatch(/^MISSED +not measured/);
});

test.each([
  [describeBar(bars.firstFlight), "at most 14.0 KB"],
  [describeBar(bars.blocking), "0"],
  [inUnit(0.0123, "share"), "1.2 %"],
  [inUnit(0.6, "times"), "0.60"],
  [inUnit(7.25, "milliseconds"), "7.3 ms"],
])("%s reads %s", (written, expected) => expect(written).toBe(expected));

const verdicts = judge({ cached: 0.7, rendered: 0.05, signUp: 0.9 }, ["landing", "sign-up"]);
const sides: [SideResult, SideResult] = [
  { name: "bare <Worker> & co", rates: [1000, 1100, 900], cpu: [80, 90, 70], answers: 9, generator: [0.2, 0.3, 0.1] },
  { name: "the site", rates: [700, 770, 630], cpu: [160, 100, 170], answers: 9, generator: [0.1, 0.1, 0.1] },
];
const result = { verdicts, comparisons: [{ what: "Landing page", sides }], tables: [], reasons: [] };

test("the report says what was measured and what was missed", () => {
  const report = markdown(result, { machine: [["processor", "two cores"]], date: new Date("2026-01-02T03:04:05Z") });
  expect(report).toContain("1 of 3 bars are missed.");
  expect(report).toContain("| at least 0.15 | 0.05 | **missed** |");
  expect(report).toContain("| at least 0.60 | 0.70 | met |");
  expect(report).toContain("| the site | 700 | 700, 770, 630 | 0.70 | 160 | 0.50 | 10 % |");
  expect(report).toContain("2026-01-02");
  expect(report).toContain("| processor | two cores |");
});

test("a control whose rounds differ much casts doubt on its ratio", () => {
  const [bare, site] = sides;
  expect(doubts({ what: "Landing page", sides: [bare, site] })).toEqual([]);
  const disturbed = { ...bare, rates: [1000, 1100, 500] };
  expect(doubts({ what: "Landing page", sides: [disturbed, site] })).toEqual([
    expect.stringContaining("differ by a factor of 2.2"),
  ]);
});

test("the chart says in words what its colours say, in both schemes", () => {
  const drawing = chart(result);
  expect(drawing).toContain("0.70 met");
  expect(drawing).toContain("0.05 missed");
  expect(drawing).toContain("bare &lt;Worker&gt; &amp; co");
  expect(drawing).toContain("prefers-color-scheme: dark");
  expect(drawing).not.toMatch(/NaN|Infinity|undefined/);
});

test("time in a profile belongs to the function on top", () => {
  const frame = (functionName: string) => ({ functionName, url: "file:///index.js", lineNumber: 4, columnNumber: 9 });
  const profile = {
    nodes: [
      { id: 1, callFrame: frame("render") },
      { id: 2, callFrame: frame("(idle)") },
    ],
    samples: [1, 2, 1],
    timeDeltas: [100, 500, 200],
  };
  expect(selfTimes(profile)).toEqual([
    { name: "(idle)", microseconds: 500 },
    { name: "render index.js:5", microseconds: 300 },
  ]);
  expect(topShares(profile, 5)).toEqual([{ name: "render index.js:5", share: 1 }]);
});
