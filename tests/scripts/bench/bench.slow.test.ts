import { expect, test } from "vitest";
import { busyTime } from "#scripts/bench/groups/start-up.ts";
import { atLeast, atMost, compare, median } from "#scripts/bench/measurement.ts";
import { markdown } from "#scripts/bench/report.ts";
import { runScript } from "#tests/support/run-script.ts";

test.each([
  ["landing", /Landing page, counted visits a second\n\n\| the site \| bare Worker/],
  ["sign-up", /Sign-ups a second\n\n\| the site \| bare Worker/],
  ["paint", /without JavaScript/],
])("npm run bench measures the group %s next to its control", { timeout: 120_000 }, async (group, expected) => {
  const { code, out, err } = await runScript("bench", ["--only", group, "--rounds", "1"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(expected);
  expect(out).toMatch(/^\| .+ \| at (?:least|most) \d+\.\d\d \| \d+\.\d\d \| (?:met|\*\*missed\*\*) \|$/m);
  expect(out).toMatch(/^Measured in \d+\.\d minutes\.$/m);
});

test("--check fails on a missed bar and names it", { timeout: 120_000 }, async () => {
  // Without rounds, nothing is measured, which misses every bar.
  const args = ["--only", "sign-up", "--rounds", "0"];
  expect(await runScript("bench", args)).toMatchObject({ code: 0, err: "" });
  const { code, err } = await runScript("bench", [...args, "--check"]);
  expect({ code, err }).toEqual({
    code: 1,
    err: "Missed: `POST /api/signup`, requests/s relative to a bare Worker is NaN, must be at least 0.85\n",
  });
});

test.each([
  [atLeast("", 0.75, 0.75, "ratio"), true, "0.75", "at least 0.75"],
  [atLeast("", 0.749, 0.75, "ratio"), false, "0.75", "at least 0.75"],
  [atMost("", 15 * 1024, 15 * 1024, "KB"), true, "15.0 KB", "at most 15.0 KB"],
  [atMost("", 15 * 1024 + 1, 15 * 1024, "KB"), false, "15.0 KB", "at most 15.0 KB"],
  [atMost("", 150.4, 150, "ms"), false, "150 ms", "at most 150 ms"],
  [atMost("not measured", Number.NaN, 150, "ms"), false, "NaN ms", "at most 150 ms"],
])("%j: met is %s", (figure, isMet, value, bar) => expect(figure).toMatchObject({ isMet, value, bar }));

test.each([
  [[3], 3],
  [[9, 1, 5], 5],
  [[4, 1, 3, 2], 3],
])("the median of %j is %d", (values, middle) => expect(median(values)).toBe(middle));

test("sides take turns, and the ratio is the median over rounds, so that a slowdown of both cancels out", async () => {
  const rates = [100, 200, 100, 50, 90, 100];
  const order: string[] = [];
  const { ratio } = await compare(3, async (side) => rates[order.push(side) - 1] ?? 0);
  expect(order).toEqual(["site", "control", "control", "site", "site", "control"]);
  expect(ratio).toBe(0.5);
});

test("the report lists every figure and table", () => {
  const figures = [atLeast("one", 0.8, 0.75, "ratio"), atLeast("other", 0.05, 0.85, "ratio")];
  const tables = { "Landing page": [{ "the site": 700, "bare Worker": 1000 }] };
  const report = markdown({ figures, tables }, new Date("2026-01-02T03:04:05Z"));
  expect(report).toContain("2026-01-02");
  expect(report).toContain("1 of 2 bars are missed.");
  expect(report).toContain("| one | at least 0.75 | 0.80 | met |");
  expect(report).toContain("| other | at least 0.85 | 0.05 | **missed** |");
  expect(report).toContain("## Landing page");
  expect(report).toContain("| the site | bare Worker |\n| --- | --- |\n| 700 | 1000 |");
});

test("the waits before and after a Worker starts up do not count as busy, the time between does", () => {
  const place = { scriptId: "", url: "", lineNumber: 0, columnNumber: 0 };
  const nodes = ["(idle)", "main", "(garbage collector)"].map((functionName, id) => ({
    id,
    callFrame: { functionName, ...place },
  }));
  // Idle at 70 ms, busy from 100 ms to 102 ms, idle again at 120 ms.
  const samples = [0, 1, 2, 1, 0];
  const timeDeltas = [70_000, 30_000, 1_000, 1_000, 18_000];
  expect(busyTime({ nodes, samples, timeDeltas, startTime: 0, endTime: 0 })).toBe(2);
});
