import { expect, test } from "vitest";
import { parseLocalTime } from "#app/server/time/local-time.ts";

const utc = (text: string) => Date.parse(`${text}Z`);

test.each([
  ["2027-01-15T09:30", "Europe/London", "2027-01-15T09:30"],
  ["2027-07-15T09:30", "Europe/London", "2027-07-15T08:30"],
  ["2027-07-15T09:30", "Asia/Kolkata", "2027-07-15T04:00"],
  ["2027-07-15T09:30", "Pacific/Kiritimati", "2027-07-14T19:30"],
  ["2027-03-28T00:59", "Europe/London", "2027-03-28T00:59"],
  ["2027-03-28T02:00", "Europe/London", "2027-03-28T01:00"],
])("%s in %s", (text, timeZone, expected) => {
  expect(parseLocalTime(text, timeZone)).toEqual({ kind: "exact", at: utc(expected) });
});

test("a time that a clock change skips", () => {
  // In London, 01:00 to 02:00 does not exist on this day; in Lord Howe, half an hour.
  expect(parseLocalTime("2027-03-28T01:30", "Europe/London")).toEqual({
    kind: "skipped",
    before: utc("2027-03-28T00:30"),
    after: utc("2027-03-28T01:30"),
  });
  expect(parseLocalTime("2027-10-03T02:15", "Australia/Lord_Howe")).toMatchObject({ kind: "skipped" });
});

test("a time that a clock change repeats", () => {
  expect(parseLocalTime("2026-10-25T01:30", "Europe/London")).toEqual({
    kind: "doubled",
    first: utc("2026-10-25T00:30"),
    second: utc("2026-10-25T01:30"),
  });
  expect(parseLocalTime("2026-11-01T01:30", "America/New_York")).toMatchObject({
    kind: "doubled",
    first: utc("2026-11-01T05:30"),
    second: utc("2026-11-01T06:30"),
  });
});

test.each(["", "2027-02-30T09:30", "2027-13-01T09:30", "2027-01-15 09:30", "2027-01-15T24:30", "tomorrow"])(
  "%j is no time",
  (text) => {
    expect(parseLocalTime(text, "Europe/London")).toEqual({ kind: "malformed" });
  },
);
