import { expect, test } from "vitest";
import { chartUnit, mergeWeeks } from "#app/features/overview/charts/chart-frame.server.tsx";

const days = (count: number) => Array.from({ length: count }, (_, n) => ({ first: n, joined: 1 }));

test("a year is drawn by week, shorter periods by day", () => {
  expect([30, 90, 365].map((count) => chartUnit(days(count)))).toEqual(["day", "day", "week"]);
});

test("weeks end with the last day, and days before the first full week are left out", () => {
  const weeks = mergeWeeks(days(16), (week) => ({ ...week[0], joined: week.length }));
  expect(weeks).toEqual([
    { first: 2, joined: 7 },
    { first: 9, joined: 7 },
  ]);
});
