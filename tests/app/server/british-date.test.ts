import { expect, test } from "vitest";
import { britishDate } from "#app/server/time/british-date.ts";

test.each([
  ["2026-11-21T12:00:00Z", { iso: "2026-11-21", text: "21 November 2026" }],
  ["2026-07-01T22:59:59Z", { iso: "2026-07-01", text: "1 July 2026" }],
  ["2026-07-01T23:00:00Z", { iso: "2026-07-02", text: "2 July 2026" }],
  ["2026-12-31T23:59:59Z", { iso: "2026-12-31", text: "31 December 2026" }],
])("%s is $text in Britain", (time, date) => {
  expect(britishDate(Date.parse(time))).toEqual(date);
});
