import fc from "fast-check";
import { expect, test } from "vitest";
import { orderOf, parseDate } from "#app/features/import/file/parse-date.ts";
import { fuzzCases, fuzzSeed } from "#tests/support/pool/fuzz.ts";

const read = (text: string, timeZone = "UTC", monthFirst: boolean | null = null) =>
  new Date(parseDate(text, { timeZone, monthFirst }) ?? Number.NaN).toJSON();

const spellings = {
  "2026-11-21T00:00:00.000Z": `2026-11-21 | 2026/11/21 | 2026.11.21 | 2026. 11. 21. | 2026-Nov-21 | 20261121 | 46347
    | 46347.0 | 21/11/2026 | 21-11-2026 | 21.11.2026 | 21. 11. 2026. | 21/11/26 | 21.11.26 | 21-Nov-26 | 21-Nov-2026
    | 21 Nov '26 | 21NOV2026 | 21 Nov. 2026 | 21st of November, 2026 | Nov 21, 2026 | Nov. 21st 2026 | 21.Nov.2026
    | 21. November 2026 | Sa., 21. Nov. 2026 | Samstag, 21.11.2026 | sam. 21 nov. 2026 | sábado, 21 de noviembre de 2026
    | za 21 nov. 2026 | sáb., 21 de nov. de 2026 | \u200e21/\u200e11/\u200e2026`,
  "2026-11-21T14:00:00.000Z": `21 nov 2026 à 14h | 21. November 2026 um 14 Uhr | Nov 21, 26 2pm | 21-11-2026 2 p.m. GMT | 21/11/26 02 PM`,
  "2026-11-21T14:05:00.000Z": `2026-11-21T14:05 | 2026-11-21 14:05:00Z | 2026-11-21 14:05:00 +0000 UTC | 20261121T140500Z
    | 20261121140500 | 20261121T1405+0000 | 20261121 14:05 | 21.11.2026 14:05 Uhr | 21. November 2026, 14:05 Uhr
    | 21/11/2026 14h05 | 21 novembre 2026 à 14 h 05 | 21.11.2026 14.05 | 21/11/2026 - 14:05 | 21/Nov/2026:14:05:00 +0000
    | November 21st, 2026 at 2:05 pm | Nov 21, 2026 @ 2:05 p. m. | 11/21/26 2:05\u202fPM | Nov 21, 2026, 2:05:00 P.M. UTC
    | Sat, 21 Nov 2026 14:05:00 +0000 | Sat Nov 21 2026 14:05:00 GMT+0000 (Coordinated Universal Time) | 46347.5868
    | 46347,5868 | Sat Nov 21 14:05:00 +0000 2026 | Sat Nov 21 14:05:00 GMT 2026 | 2026-11-21T15:05:00+01:00[Europe/Berlin]
    | 2026-11-21 15:05:00 +0100 CET | 2026-11-21T14:05Z[UTC] | 1795269900 | 1795269900000 | 1795269900.0 | 21/11/26 15:05 BST
    | 21.11.2026 15:05 MEZ | 21.11.2026 16:05 CEST | 21/11/26 09:05 EST | 21/11/26 10:05 EDT | 21/11/26 08:05 CST
    | 21/11/26 9:05 AM CDT | 21/11/26 07:05 MST | 21/11/26 08:05 MDT | 21/11/26 06:05 PST | 21/11/26 07:05 PDT
    | 21/11/26 19:35 GMT+5:30 | 2026-11-21 09:05 \u221205:00`,
  "2026-11-21T14:05:09.123Z": `2026-11-21 14:05:09.123456 | 2026-11-21 14:05:09,123 | 2026-11-21T14:05:09.1230000Z | 1795269909123 | 20261121T140509.123Z`,
};

test.each(Object.entries(spellings))("%s is read", (moment, texts) => {
  for (const text of texts.split(/\s+\| /))
    expect([text, read(text, "UTC", text.startsWith("11/"))]).toEqual([text, moment]);
});

const refused = `1 | 2026 | 12:30 | +49 170 1234567 | 0170123456 | yes | Nov | Nov 2026 | 21 Nov | 31/02/2026
  | 00/00/0000 | 2026-13-01 | 0 | 2026-00-10 | 21/11/1999 | 21/11/2100 | 1999-12-31 | 2100-01-01 | 21-11-26 | 11/2026
  | 21.11. | 21.11. 14:05 | 10.0.0.1 | Nov 21 14:05:09 | 2026-W47-6 | 2026-325 | 2026 11 21 | 99999 | 123456 | 4999999999
  | 999999999 | 179526990000 | 21/11/26 1 | 21/11/26 14 | 2026-11-21 1405 | 21/11/26 24:00 | 21/11/26 14:60
  | 21/11/26 14:05:60 | 21/11/26 14:5 | 21/11/26 13:00 PM | 21/11/26 0:05 AM | 21/11/26 14:05 x | 21/11/26 14:05 IST
  | 21/11/26 14:05 EST-5 | 21/11/26 14:05 +15:00 | 21/11/26 14:05-15:05 | 21/11/26 14:05 CST (China Standard Time)
  | 21/11/26 14:05 [UTC] | 2026-11-21T | Foo 21 Nov 2026 | 21 jui 2026 | 21 novem 2026 x | 21 constructor 2026
  | Juno 12, 2026 | 20262111 | 2026-11-21 2026-11-22 | 21/11/2026/ | 1.79527E+12 | - | , | 2026-11-21${" ".repeat(90)}x`;

test.each(refused.split(/\s+\| /))("%s is no date, in either order", (text) => {
  expect([read(text), read(text, "UTC", true)]).toEqual([null, null]);
});

test("months are read in words, short or not, with or without accents", () => {
  for (const language of ["en", "de", "de-AT", "fr", "es", "it", "nl", "pt"])
    for (const style of ["long", "short"] as const)
      for (let month = 1; month <= 12; month++) {
        const moment = `2026-${String(month).padStart(2, "0")}-21T00:00:00.000Z`;
        const name = new Date(moment).toLocaleDateString(language, { month: style, timeZone: "UTC" });
        for (const word of [name, name.toUpperCase(), name.normalize("NFD").replace(/[^a-z]/gi, "")])
          expect([word, read(`21 ${word} 2026`), read(`${word} 21, 26`)]).toEqual([word, moment, moment]);
      }
  expect([read("1er Mrz 2026"), read("1 maerz 2026")]).toEqual(Array(2).fill("2026-03-01T00:00:00.000Z"));
});

test.each([
  ["day-first", "21/11/2026", "21.11.26 14:05"],
  ["month-first", "Sat, 11/21/26 2:05 PM", "11-21-2026"],
  ["either", "3/4/2026", "3.4.26"],
  [null, "4/4/26", "21-11-26", "2026-11-21", "26 Nov 21", "46347", "1", `3/4/2026${" ".repeat(100)}`],
])("the order is %s in %s and others", (order, ...texts) =>
  expect(new Set(texts.map((text) => orderOf(String(text))))).toEqual(new Set([order])),
);

test.each([
  ["Europe/London", "29/03/2026 14:05", "2026-03-29T13:05:00.000Z"],
  ["Europe/London", "25/10/2026 14:05", "2026-10-25T14:05:00.000Z"],
  ["Europe/London", "29/03/2026 01:30:15", "2026-03-29T01:30:15.000Z"],
  ["Europe/Berlin", "25.10.2026 02:30:15.5", "2026-10-25T00:30:15.500Z"],
  ["Europe/Berlin", "46320.5", "2026-10-25T11:00:00.000Z"],
  ["America/Los_Angeles", "2026-03-08 14:05", "2026-03-08T21:05:00.000Z"],
  ["America/Los_Angeles", "Nov 1, 2026 2:05 PM", "2026-11-01T22:05:00.000Z"],
  ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00.000Z"],
])("the clocks change in %s: %s is %s", (zone, text, moment) => expect(read(text, zone)).toBe(moment));

test("local times of any zone are read as its clocks show them", () => {
  const zones = ["UTC", "Europe/London", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia"];
  const changes = ["2011-12-29", "2026-03-08", "2026-03-28", "2026-04-04", "2026-10-03", "2026-10-24", "2026-11-01"];
  const twoDays = (day: string) => fc.nat(172_800).map((more) => Date.parse(day) / 1_000 + more);
  const any = fc.integer({ min: Date.UTC(2000, 0, 2) / 1_000, max: Date.UTC(2099, 11, 30) / 1_000 });
  const holds = fc.property(fc.oneof(...changes.map(twoDays), any), fc.constantFrom(...zones), (second, zone) => {
    const show = (at: number) => new Date(at).toLocaleString("sv-SE", { timeZone: zone });
    const parsed = parseDate(show(second * 1_000), { timeZone: zone, monthFirst: null }) ?? Number.NaN;
    expect([show(parsed), [0, 1_800, 3_600].includes(second - parsed / 1_000)]).toEqual([show(second * 1_000), true]);
  });
  fc.assert(holds, { seed: fuzzSeed(), numRuns: fuzzCases(20_000) });
});
