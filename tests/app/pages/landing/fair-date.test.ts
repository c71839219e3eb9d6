import { expect, test } from "vitest";
import { nextFairDate } from "#app/pages/landing/fair-date.server.ts";

test.each([
  ["2026-11-24", "Saturday 12 June 2027"],
  ["2027-04-12", "Saturday 12 June 2027"],
  ["2027-04-14", "Saturday 10 June 2028"],
  ["2027-12-31", "Saturday 10 June 2028"],
  ["2029-01-01", "Saturday 9 June 2029"],
])("on %s the sample match is on %s", (today, date) => {
  expect(nextFairDate(Date.parse(today))).toBe(date);
});

test("every day of ten years, the date is a Saturday in June, between 60 and 440 days away", () => {
  const day = 86_400_000;
  for (let now = Date.parse("2026-01-01"); now < Date.parse("2036-01-01"); now += day) {
    const text = nextFairDate(now);
    expect(text).toMatch(/^Saturday ([89]|1[0-4]) June \d{4}$/);
    const away = (Date.parse(`${text.replace("Saturday ", "")} UTC`) - now) / day;
    expect(away).toBeGreaterThan(60);
    expect(away).toBeLessThan(440);
  }
});
