import { expect, test } from "vitest";
import { nextFairDates } from "#app/features/landing/product/fair-date.server.ts";

test.each([
  ["2026-11-24", "Saturday 12 June 2027", "Sunday 13 June 2027"],
  ["2027-04-12", "Saturday 12 June 2027", "Sunday 13 June 2027"],
  ["2027-04-14", "Saturday 10 June 2028", "Sunday 11 June 2028"],
  ["2027-12-31", "Saturday 10 June 2028", "Sunday 11 June 2028"],
  ["2029-01-01", "Saturday 9 June 2029", "Sunday 10 June 2029"],
])("on %s the example fairs are on %s and on %s", (today, Saturday, Sunday) => {
  expect(nextFairDates(Date.parse(today))).toEqual({ Saturday, Sunday });
});
