import { describe, expect, test } from "vitest";
import { fieldNames } from "#app/features/import/file/fields.ts";
import type { Words } from "#app/features/import/file/to-entry.server.ts";
import { statusWords } from "#app/features/import/file-status.ts";
import { hasOpenQuestions } from "#app/features/import/open-questions.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";
import { importHarness } from "#tests/features/import/pool/imports.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";
import { prototypeNames } from "#tests/support/prototype-names.ts";
import { sampleQuestions } from "#tests/support/sample-questions.ts";

freshDatabaseForEachTest();

const choice = sampleQuestions.find(({ answers }) => Object.keys(answers ?? {}).includes("both"));
const field = answerField(choice ?? { key: "" });

/** The status that a row with these cells is stored with. */
async function statusOf(columns: string, cells: string, words = {}) {
  await importHarness().import(`email,${columns}\na@example.com,${cells}\n`, { words });
  const [entry] = await rows<{ status: string; unsubscribe_reason: string | null }>("waitlist_emails");
  return entry === undefined ? null : [entry.status, entry.unsubscribe_reason].filter(Boolean).join(" ");
}

test.each([
  ["status", "suppressed", "unsubscribed bounce"],
  ["unsubscribed", "true", "unsubscribed"],
  ["unsubscribed", "false", "active"],
  ["status,unsubscribed", "active,2026-10-01", "unsubscribed"],
  ["status,subscribed", "unsubscribed,yes", "unsubscribed"],
  ["status,bounced", "complained,2026-10-01", "unsubscribed complaint"],
])("%s: %s is stored as %s", async (columns, cells, stored) => {
  expect(await statusOf(columns, cells)).toBe(stored);
});

describe("a status that is not known", () => {
  test.each([
    ["active", "active"],
    ["unsubscribed", "unsubscribed"],
    ["bounced", "unsubscribed bounce"],
    ["leave-out", null],
  ])("stops the import until the owner says that it means %s", async (meaning, stored) => {
    const { report, settings } = await importHarness().check("email,status\na@example.com,VIP\n");
    expect(hasOpenQuestions(report, settings)).toBe(true);
    expect(report).toMatchObject({ ready: 0, leftOut: 1, words: { status: { vip: 1 } } });
    const chosen = { words: { status: { vip: meaning } } };
    const again = await importHarness().check("email,status\na@example.com,VIP\n", chosen);
    expect(hasOpenQuestions(again.report, again.settings)).toBe(false);
    expect(await statusOf("status", "VIP", chosen.words)).toBe(stored);
  });

  /** Written out, not read from the product's own list, whose mistakes this must find. */
  const active = new Set(["active", "subscribed", "opted in", "opt in", "yes", "true", "1"]);

  /** Words that exports may have, and that would be misread: none of them says that a person wants email. */
  const otherWords = `
    pending, unconfirmed, confirmed, waiting, invited, imported, new, on hold, paused, archived, inactive,
    not active, deactivated, active?, unknown, none, null, n/a, -, other, maybe, un-subscribed, un subscribed,
    not subscribed, non-subscribed, never subscribed, resubscribed, unsubscribed, cancelled, opted out,
    opted-in?, no opt in, optin, deleted, removed, blocked, bounced, soft bounced, cleaned, complained, spam,
    suppressed, gone, nope, no, n, y, t, f, false, 0, 2, -1, 01, 1.0, on, off, ok, vip, customer, member, lead,
    aktiv, ja, oui, sí, activo, abonniert, subscriber, sub, true-ish, untrue, yesterday, x, ✓, __proto__,
    constructor, toString, hasOwnProperty, valid, verified, accepted, registered, joined, enabled,
    no longer active, active no, yes!, de-active
  `;

  test("is every word but these", () => {
    expect(new Set(statusWords.active)).toEqual(active);
  });

  /** How many rows with these cells are read as active. */
  const countActive = async (texts: string[], column: string) => {
    const people = texts.map((text, index) => `${index}@example.com,"${text.replaceAll('"', '""')}"\n`);
    const { report } = await importHarness().check(`email,${column}\n${people.join("")}`);
    return report.ready - report.unsubscribed;
  };

  test.each(["status", "subscribed"])("never becomes active in the column “%s”", async (column) => {
    expect(await countActive(otherWords.trim().split(/,\s+/), column)).toBe(0);
    const spellings = [...active].flatMap((word) => [word, word.toUpperCase(), ` ${word.replace(" ", "-")} `]);
    expect(await countActive(spellings, column)).toBe(spellings.length);
  });
});

test("someone who is in the file twice and has left according to one row has left, in either order", async () => {
  const file = `email,status
a@example.com,active
b@example.com,unsubscribed
a@example.com,complained
b@example.com,active
`;
  const { found } = await importHarness().import(file, { welcome: true });
  expect(found).toMatchObject({ state: "done" });
  expect(await rows("waitlist_emails")).toMatchObject([
    { email: "a@example.com", status: "unsubscribed", unsubscribe_reason: "complaint" },
    { email: "b@example.com", status: "unsubscribed" },
  ]);
  expect(await rows("email_outbox")).toEqual([]);
});

describe("an answer", () => {
  const key = choice?.key ?? "";
  const [first = "", second = ""] = Object.keys(choice?.answers ?? {});
  const meaning = { [field]: { painter: second } };

  test.each<[string, cell: string, words: Words, stored: object | null]>([
    ["that is not in the list is left empty", "Painter", {}, null],
    ["that the owner gives a meaning has it", "Painter", meaning, { [key]: second }],
    ["that every object inherits is left empty", "__proto__", meaning, null],
    ["that is there twice is one", `${first}; ${first}`, {}, { [key]: first }],
    ["beside another is “both”", `${first}, ${choice?.answers?.[second]}`, {}, { [key]: "both" }],
  ])("%s, and the person is added", async (_, cell, words, stored) => {
    const { report } = await importHarness().import(`email,${field}\na@example.com,"${cell}"\n`, { words });
    expect(report).toMatchObject({ ready: 1, leftOut: 0 });
    expect(report.words).toEqual(/^[P_]/.test(cell) ? { [field]: { [cell.toLowerCase()]: 1 } } : undefined);
    const [entry] = await rows<{ answers: string | null }>("waitlist_emails");
    expect(JSON.parse(entry?.answers ?? "null")).toEqual(stored);
  });
});

describe("dates", () => {
  const joined = async (...dates: string[]) => {
    const people = dates.map((date, index) => `${index}@example.com,"${date}"`);
    const { report } = await importHarness().import(`email,joined\n${people.join("\n")}\n`, { monthFirst: null });
    const entries = await rows<{ created_at: number }>("waitlist_emails");
    return { report, times: entries.map(({ created_at }) => new Date(created_at).toISOString()) };
  };

  const times = {
    "3.4.2026": "2026-04-02T23:00:00.000Z",
    "12 June 2026": "2026-06-11T23:00:00.000Z",
    "2026-04-03 10:05": "2026-04-03T09:05:00.000Z",
    "2026-04-03T10:05:06.700Z": "2026-04-03T10:05:06.700Z",
    "2026-06-14T15:45:12+0200": "2026-06-14T13:45:12.000Z",
    "2026-06-14 15:45:12 UTC": "2026-06-14T15:45:12.000Z",
    "2026/06/14 12:05:00 AM GMT-5:30": "2026-06-14T05:35:00.000Z",
    "Fri, 12 Jun 2026 10:11:00 GMT": "2026-06-12T10:11:00.000Z",
  };

  test("of many kinds are read", async () => {
    expect((await joined(...Object.keys(times))).times).toEqual(Object.values(times));
  });

  test("that no calendar has are problems", async () => {
    const { report } = await joined("13:00 PM", "Juno 12, 2026", "12/13/14", "2026-06-31", "June 2026");
    expect(report).toMatchObject({ ready: 0, problems: { "invalid-date": 5 } });
  });

  test("one date that can be read in one way only decides for the file", async () => {
    const { report, times } = await joined("03/04/2026", "04/30/2026");
    expect(times).toEqual(["2026-03-04T00:00:00.000Z", "2026-04-29T23:00:00.000Z"]);
    expect(report.ambiguousDates).toBe(0);
    await importHarness().db.run("DELETE FROM waitlist_emails");
    expect((await joined("03/04/2026", "30/04/2026")).times[0]).toBe("2026-04-02T23:00:00.000Z");
  });

  test("the import waits if all can be read in two ways", async () => {
    const { report, settings } = await importHarness().check("email,joined\na@example.com,03/04/2026\n", {
      monthFirst: null,
    });
    expect(report.ambiguousDates).toBe(1);
    expect(hasOpenQuestions(report, settings)).toBe(true);
  });

  test("the day they joined can be the date of consent", async () => {
    await importHarness().import("email,joined\na@example.com,2026-06-14\n", { consentDate: "joined" });
    expect(await rows("waitlist_emails")).toMatchObject([{ consent_at: Date.UTC(2026, 5, 13, 23) }]);
  });
});

test("the words of a file are forgotten with the file", async () => {
  const words: Words = { status: { vip: "active" }, [field]: { painter: "" } };
  const { found } = await importHarness().import(`email,status,${field}\na@example.com,VIP,Painter\n`, { words });
  expect(found?.report).not.toHaveProperty("words");
  expect(found?.settings).not.toHaveProperty("words");
  expect(JSON.stringify(await rows("imports"))).not.toMatch(/vip|painter/i);
});

describe("a word that every object inherits", () => {
  test.each(fieldNames.filter((name) => name !== "email"))("in %s is like any other unknown word", async (name) => {
    const lines = prototypeNames.map((word, index) => `a${index}@example.com,${word}\n`).join("");
    const { report, id } = await importHarness().check(`email,${name}\n${lines}`, { mapping: ["email", name] });
    const [stored] = await rows<{ report: string }>("imports");
    expect(JSON.parse(stored?.report ?? "")).toEqual(report);
    const { words = {} } = report;
    const counted = Object.values(words).flatMap((found = {}) => Object.entries(found));
    expect(counted).toEqual(counted.length === 0 ? [] : prototypeNames.map((word) => [word.toLowerCase(), 1]));
    expect(report).toMatchObject({ rows: prototypeNames.length, unsubscribed: 0, bounced: 0, complained: 0 });
    if (report.leftOut > 0) return expect(report.leftOut).toBe(prototypeNames.length);
    const other = await importHarness().check(`email,${name}\nb@example.com,unlikely\n`, { mapping: ["email", name] });
    expect(report.ready > 0).toBe(other.report.ready > 0);
    await importHarness().confirm(id);
    await importHarness().run();
    for (const entry of await rows("waitlist_emails"))
      expect(entry).toMatchObject({ status: "active", early_adopter: 1, disposable: 0 });
  });

  test("is no known name of a column, nor is what this site exports about friends", async () => {
    const columns = [...prototypeNames, "friends_counted", "milestone"];
    const { report, settings } = await importHarness().check(`email,${columns}\na@example.com,${columns}\n`);
    expect(settings.mapping).toEqual(["email", ...columns.map(() => null)]);
    expect(report.ready).toBe(1);
  });
});
