import { expect, test } from "vitest";
import { fieldLabels, fieldNames, guessMapping } from "#app/features/import/file/fields.ts";
import type { ImportSettings } from "#app/features/import/file/to-entry.server.ts";
import { importHarness } from "#tests/features/import/pool/imports.ts";
import { withSettings } from "#tests/support/pool/settings.ts";
import { freshDatabaseForEachTest, rows, storedAnswers } from "#tests/support/pool/start.ts";
import { prototypeNames } from "#tests/support/prototype-names.ts";

freshDatabaseForEachTest();

const { check, confirm, run, import: importFile } = importHarness();

/** Imports rows such as `ada,1`, of `ada@a.example`. @returns its people as `ada active`, and when they joined */
async function stored(head: string, lines: string[], settings: Partial<ImportSettings> = {}): Promise<string[]> {
  await importFile([head, ...lines.map((line) => line.replace(/(?=[,;])/, "@a.example"))].join("\n"), settings);
  const people = await rows<{ email: string; status: string; created_at: number }>("waitlist_emails");
  const joined = (time: number) => new Date(time).toISOString().slice(0, 16);
  return people.map((one) => `${one.email.split("@")[0]} ${one.status} ${joined(one.created_at)}`);
}

const empty = ["NULL", "0000-00-00 00:00:00", "N/A", "-", "\\N", "null"];
const times = ["now,2026-11-21 12:00:00", "today,2026-11-21"];
const [utc, losAngeles] = [{ timeZone: "UTC" }, { timeZone: "America/Los_Angeles" }];

/** What once left people out, moved them by hours or sent them email against their will. */
test.each<[string, head: string, lines: string[], people: string[], settings?: Partial<ImportSettings>]>([
  [
    "times on days when clocks change",
    "email,created_at",
    ["spring,2026-03-29 14:05", "autumn,2026-10-25 14:05", "next,2026-10-26 14:05"],
    ["spring active 2026-03-29T13:05", "autumn active 2026-10-25T14:05", "next active 2026-10-26T14:05"],
  ],
  [
    "NULL and the like in empty cells",
    "email,created_at,unsubscribed_at",
    [...empty, "2026-06-01 10:00:00"].map((cell, nth) => `${nth},2026-05-01 10:00:00,${cell}`),
    [..."0123456"].map((nth) => `${nth} ${nth === "6" ? "unsubscribed" : "active"} 2026-05-01T09:00`),
  ],
  [
    "an opt-out in the column “type”",
    "email_address,type,unsubscription_date",
    ["wants,regular,", "refuses,unsubscribed,2026-06-01T10:00:00Z"],
    ["wants active 2026-11-21T12:00", "refuses unsubscribed 2026-11-21T12:00"],
  ],
  ["a title", "Waitlist report\nemail,name,created_at", ["ana,Ana,2026-09-01"], ["ana active 2026-08-31T23:00"]],
  [
    "quotation marks inside cells",
    "email,name,notes",
    ['a,Ana "Annie" Smith,x', 'b,5" pots,y', 'c,"ok",z'],
    ["a", "b", "c"].map((name) => `${name} active 2026-11-21T12:00`),
  ],
  [
    "semicolons, and commas in a heading",
    "E-Mail;Wann;Was bieten Sie an (z.B. Keramik, Schmuck, Holz, Stoff)",
    ["ana;03.09.2026;Keramik", "ben;04.09.2026;Holz"],
    ["ana active 2026-09-02T23:00", "ben active 2026-09-03T23:00"],
    { mapping: ["email", "joined", null] },
  ],
  ["times in UTC", "email,created_at", times, ["now active 2026-11-21T12:00", "today active 2026-11-21T00:00"], utc],
  ["times in UTC as if of Los Angeles", "email,created_at", times, ["today active 2026-11-21T08:00"], losAngeles],
])("%s are read", async (_, head, lines, people, settings) => {
  expect(await stored(head, lines, settings)).toEqual(people);
});

test.each<[string, cell: string, stored: object | null]>([
  ["that is not in the list is left empty", "Juggler", null],
  ["that the owner gives a meaning has it", "Painter", { role: "stallholder" }],
  ["that is there twice is one", "host; host", { role: "host" }],
  ["beside another is “both”", "host, Stallholder", { role: "both" }],
])("an answer %s, and the person is added; words and lines are forgotten with the file", async (_, cell, answers) => {
  const file = `email,answer_role,status\na@a.example,"${cell}",VIP\nb@a.example,,vip\nb@a.example,,bounced`;
  const { report, found } = await importFile(file, {
    words: { "1": { painter: "stallholder" }, "2": { vip: "active" } },
  });
  expect(report).toMatchObject({ active: 1, left: { bounced: 1 }, leftOut: 1 });
  expect(await storedAnswers()).toEqual([answers, null]);
  expect(JSON.stringify(found)).not.toMatch(/"words"|"later"|vip|painter/i);
});

test.each([
  [["03/04/2026", "04/30/2026"], ["0 active 2026-03-04T00:00", "1 active 2026-04-29T23:00"], 0],
  [["03/04/2026", "30/04/2026"], ["0 active 2026-04-02T23:00", "1 active 2026-04-29T23:00"], 0],
  [["03/04/2026"], [], 1],
])("of the dates %j, one that can be read in one way decides", async (dates, people, ambiguousDates) => {
  const settings = { monthFirst: null, consentDate: "joined" as const };
  const lines = dates.map((date, nth) => `${nth},${date}`);
  const { report, isOpen } = await check(`email,joined\n${lines.join("\n").replaceAll(",", "@a.example,")}`, settings);
  expect([report.ambiguousDates, isOpen]).toEqual([ambiguousDates, ambiguousDates > 0]);
  if (!isOpen) expect(await stored("email,joined", lines, settings)).toEqual(people);
  for (const { created_at, consent_at } of await rows("waitlist_emails")) expect(consent_at).toBe(created_at);
});

test.each(fieldNames().filter((name) => name !== "email"))(
  "words that every object inherits are unknown in %s",
  async (name) => {
    const settings: Partial<ImportSettings> = { mapping: ["email", name], words: { "1": {} } };
    const lines = prototypeNames.map((word, index) => `a${index}@a.example,${word}\n`).join("");
    const { report, id, isOpen, questions } = await check(`email,x\n${lines}`, settings);
    expect(await rows("imports")).toMatchObject([{ report: JSON.stringify(report) }]);
    const asked = questions.flatMap(({ words }) => words.map(({ word, meaning }) => word + meaning));
    expect(asked).toEqual(asked.length === 0 ? [] : prototypeNames.map((word) => word.toLowerCase()));
    const other = await check("email,x\nb@a.example,unlikely\n", settings);
    expect([isOpen, report.active > 0]).toEqual([other.isOpen, other.report.active > 0]);
    await confirm(id);
    await run();
    for (const entry of await rows("waitlist_emails"))
      expect(entry).toMatchObject({ status: "active", early_adopter: 1, disposable: 0 });
  },
);

test("names of columns that every object inherits, and of what is exported about friends, are left out", async () => {
  const columns = [...prototypeNames, "friends_counted", "milestone"];
  const { report, settings } = await check(`email,${columns}\na@a.example,${columns}\n`);
  expect([report.active, settings.mapping]).toEqual([1, ["email", ...columns.map(() => null)]]);
});

test("columns are mapped to questions that were added, a first name by its usual names, and not to those that are gone", () => {
  withSettings({ questions: [{ key: "first_name", label: "First name", wording: "What should we call you?" }] });
  for (const name of ["First name", "first_name", "FNAME", "Vorname"]) {
    expect(guessMapping(["Mail", name, "Town"])).toEqual(["email", "answer_first_name", null]);
  }
  expect(fieldLabels()["answer_first_name"]).toBe("First name");
});
