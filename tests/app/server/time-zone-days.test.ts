import { expect, test } from "vitest";
import { lastLocalDays, localDate, localHour, startOfDay } from "#app/server/time/time-zone-days.ts";

const iso = (time: number) => new Date(time).toISOString();

test.each([
  ["UTC", "2026-11-21T00:00:00.000Z"],
  ["Europe/London", "2026-11-21T00:00:00.000Z"],
  ["Asia/Kathmandu", "2026-11-20T18:15:00.000Z"],
  ["Pacific/Kiritimati", "2026-11-20T10:00:00.000Z"],
  ["Etc/GMT+12", "2026-11-21T12:00:00.000Z"],
])("21 November starts in %s at %s", (timeZone, start) => {
  expect(iso(startOfDay("2026-11-21", timeZone))).toBe(start);
});

test("days have 23 or 25 hours when the clocks change, without gaps or overlaps", () => {
  const hours = (now: string, timeZone: string) =>
    lastLocalDays(Date.parse(now), 3, timeZone).map(({ date, from, until }) => [date, (until - from) / 3_600_000]);
  expect(hours("2026-03-30T12:00:00Z", "Europe/London")).toEqual([
    ["2026-03-28", 24],
    ["2026-03-29", 23],
    ["2026-03-30", 24],
  ]);
  expect(hours("2026-10-26T12:00:00Z", "Europe/London").map(([, length]) => length)).toEqual([24, 25, 24]);
  const year = lastLocalDays(Date.parse("2026-11-21T12:00:00Z"), 366, "Africa/Cairo");
  expect(year.map(({ from }) => from)).toEqual(year.map(({ date }) => startOfDay(date, "Africa/Cairo")));
  expect(year.every((day, index) => index === 0 || day.from === year[index - 1]?.until)).toBe(true);
});

test("if midnight is skipped, the day starts after the gap", () => {
  // Clocks in Cairo went from 23:59 to 01:00.
  expect(iso(startOfDay("2026-04-24", "Africa/Cairo"))).toBe("2026-04-23T22:00:00.000Z");
});

test("date and hour are in the given time zone", () => {
  const now = Date.parse("2026-11-20T23:30:00Z");
  expect([localDate(now, "Europe/Berlin"), localHour(now, "Europe/Berlin")]).toEqual(["2026-11-21", 0]);
  expect([localDate(now, "UTC"), localHour(now, "UTC")]).toEqual(["2026-11-20", 23]);
});
