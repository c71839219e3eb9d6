import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fieldNames } from "#app/owner/import/fields.ts";
import { hasOpenQuestions } from "#app/owner/import/open-questions.ts";
import { outcomeWords } from "#app/owner/import/outcomes.ts";
import type { Words } from "#app/owner/import/to-entry.server.ts";
import { unescapeFormulas } from "#app/owner/ui/csv.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";
import { fuzzSeed } from "#tests/support/pool/fuzz.ts";
import { importHarness, NOW } from "#tests/support/pool/imports.ts";
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
  ["status", "active", "active"],
  ["subscribed_to_emails", "true", "active"],
  ["subscribed_to_emails", "false", "unsubscribed"],
  ["Status", "Cancelled", "unsubscribed"],
  ["Subscriber status", "bounced", "unsubscribed bounce"],
  ["Status", "Cleaned", "unsubscribed bounce"],
  ["status", "suppressed", "unsubscribed bounce"],
  ["CLEAN_TIME", "2026-10-01 09:00:00", "unsubscribed bounce"],
  ["LEAVE_TIME", "2026-10-01 09:00:00", "unsubscribed"],
  ["unsubscribed", "true", "unsubscribed"],
  ["unsubscribed", "false", "active"],
  ["status", "complained", "unsubscribed complaint"],
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
  const otherWords = [
    ...[
      "pending",
      "unconfirmed",
      "confirmed",
      "waiting",
      "invited",
      "imported",
      "new",
      "on hold",
      "paused",
      "archived",
    ],
    ...["inactive", "not active", "deactivated", "active?", "unknown", "none", "null", "n/a", "-", "other", "maybe"],
    ...["un-subscribed", "un subscribed", "not subscribed", "non-subscribed", "never subscribed", "resubscribed"],
    ...["unsubscribed", "cancelled", "opted out", "opted-in?", "no opt in", "optin", "deleted", "removed", "blocked"],
    ...["bounced", "soft bounced", "cleaned", "complained", "spam", "suppressed", "gone", "nope", "no", "n", "y", "t"],
    ...[
      "f",
      "false",
      "0",
      "2",
      "-1",
      "01",
      "1.0",
      "on",
      "off",
      "ok",
      "vip",
      "customer",
      "member",
      "lead",
      "aktiv",
      "ja",
    ],
    ...[
      "oui",
      "sí",
      "activo",
      "abonniert",
      "subscriber",
      "sub",
      "true-ish",
      "untrue",
      "yesterday",
      "x",
      "✓",
      "__proto__",
    ],
    ...[
      "constructor",
      "toString",
      "hasOwnProperty",
      "valid",
      "verified",
      "accepted",
      "registered",
      "joined",
      "enabled",
    ],
  ];

  test("is every word but these", () => {
    expect(new Set(outcomeWords.active)).toEqual(active);
  });

  /** How many rows with these cells are read as active. */
  const countActive = async (texts: string[], column: string) => {
    const people = texts.map((text, index) => `${index}@example.com,"${text.replaceAll('"', '""')}"\n`);
    const { report } = await importHarness().check(`email,${column}\n${people.join("")}`);
    return report.ready - report.unsubscribed;
  };

  test.each(["status", "subscribed"])("never becomes active in the column “%s”", async (column) => {
    expect(await countActive(otherWords, column)).toBe(0);
    const spellings = [...active].flatMap((word) => [word, word.toUpperCase(), ` ${word.replace(" ", "-")} `]);
    expect(await countActive(spellings, column)).toBe(spellings.length);
  });

  test("never becomes active if it is random text", async () => {
    const known = fc.constantFrom(...active, ...otherWords);
    const word = fc.oneof(
      fc.string({ maxLength: 20 }),
      known,
      fc.tuple(
        fc.constantFrom("not ", "un", "in", "de", "no longer ", ""),
        known,
        fc.constantFrom("", "?", " no", "!"),
      ),
    );
    await fc.assert(
      fc.asyncProperty(word, fc.constantFrom("status", "subscribed"), async (parts, column) => {
        const text = [parts].flat().join("");
        const read = unescapeFormulas(text).trim().toLowerCase();
        const isKnown = read === "" || active.has(read.replace(/[\s_-]+/g, " "));
        expect(await countActive([text], column), text).toBe(Number(isKnown));
      }),
      { seed: fuzzSeed(), numRuns: 200 },
    );
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

test("someone who left in the file stays as they are if they were on the list before", async () => {
  await importHarness().import("email\na@example.com\n");
  await importHarness().import("email,status\na@example.com,unsubscribed\n");
  expect(await rows("waitlist_emails")).toMatchObject([{ status: "active" }]);
});

describe("answers", () => {
  const answersOf = async (cell: string, words = {}) => {
    const { report } = await importHarness().import(`email,${field}\na@example.com,"${cell}"\n`, { words });
    const [entry] = await rows<{ answers: string | null }>("waitlist_emails");
    return { report, answers: JSON.parse(entry?.answers ?? "null") };
  };
  const key = choice?.key ?? "";
  const [first = "", second = ""] = Object.keys(choice?.answers ?? {});

  test("one that is not in the list is left empty and counted, and the person is added", async () => {
    const { report, answers } = await answersOf("Painter");
    expect(answers).toBeNull();
    expect(report).toMatchObject({ ready: 1, leftOut: 0, words: { [field]: { painter: 1 } } });
  });

  test("one that the owner gives a meaning has it", async () => {
    expect((await answersOf("Painter", { [field]: { painter: second } })).answers).toEqual({ [key]: second });
  });

  test("a meaning that does not exist is no answer", async () => {
    expect((await answersOf("__proto__", { [field]: { painter: second } })).answers).toBeNull();
  });

  test("the same answer twice is one, and two answers are “both”", async () => {
    expect((await answersOf(`${first}; ${first}`)).answers).toEqual({ [key]: first });
  });

  test("two answers are “both”", async () => {
    expect((await answersOf(`${first}, ${choice?.answers?.[second]}`)).answers).toEqual({ [key]: "both" });
  });
});

describe("dates", () => {
  const joined = async (column: string, ...dates: string[]) => {
    const people = dates.map((date, index) => `${index}@example.com,"${date}"`);
    const { report } = await importHarness().import(`email,${column}\n${people.join("\n")}\n`, { monthFirst: null });
    const entries = await rows<{ created_at: number }>("waitlist_emails");
    return { report, times: entries.map(({ created_at }) => new Date(created_at).toISOString()) };
  };

  test.each(["Joined At", "Timestamp", "Date joined", "Subscribed at", "OPTIN_TIME", "CONFIRM_TIME", "created_at"])(
    "%s is when the person joined",
    async (column) => {
      expect((await joined(column, "2026-06-14 15:45:12")).times).toEqual(["2026-06-14T14:45:12.000Z"]);
    },
  );

  test.each([
    ["2026/06/14 3:45:12 PM GMT+1", "2026-06-14T14:45:12.000Z"],
    ["2026/06/14 12:05:00 AM GMT-5:30", "2026-06-14T05:35:00.000Z"],
    ["Jun 12, 2026 10:11 AM", "2026-06-12T09:11:00.000Z"],
    ["12 June 2026", "2026-06-11T23:00:00.000Z"],
    ["Fri, 12 Jun 2026 10:11:00 GMT", "2026-06-12T10:11:00.000Z"],
    ["2026-06-14 15:45:12 UTC", "2026-06-14T15:45:12.000Z"],
    ["2026-06-14T15:45:12+0200", "2026-06-14T13:45:12.000Z"],
  ])("%s is read", async (date, time) => {
    expect((await joined("joined", date)).times).toEqual([time]);
  });

  test.each(["13:00 PM", "Juno 12, 2026", "12/13/14", "2026-06-31", "June 2026"])("%s is no date", async (date) => {
    expect((await joined("joined", date)).report.problems).toEqual({ "invalid-date": 1 });
  });

  test("one date that can be read in one way only decides for the file", async () => {
    const { report, times } = await joined("joined", "03/04/2026", "04/30/2026");
    expect(times).toEqual(["2026-03-04T00:00:00.000Z", "2026-04-29T23:00:00.000Z"]);
    expect(report.ambiguousDates).toBe(0);
    await importHarness().db.run("DELETE FROM waitlist_emails");
    expect((await joined("joined", "03/04/2026", "30/04/2026")).times[0]).toBe("2026-04-02T23:00:00.000Z");
  });

  test("the import waits if all can be read in two ways", async () => {
    const { report, settings } = await importHarness().check("email,joined\na@example.com,03/04/2026\n", {
      monthFirst: null,
    });
    expect(report.ambiguousDates).toBe(1);
    expect(hasOpenQuestions(report, settings)).toBe(true);
  });

  test("people without a date have joined with the import, and are counted", async () => {
    const { report } = await importHarness().import("email\na@example.com\n");
    expect(report.undated).toBe(1);
    expect(await rows("waitlist_emails")).toMatchObject([{ created_at: NOW }]);
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

  test("is no known name of a column", async () => {
    const { report, settings } = await importHarness().check(`email,${prototypeNames}\na@example.com,1,2,3,4,5\n`);
    expect(settings.mapping).toEqual(["email", null, null, null, null, null]);
    expect(report.ready).toBe(1);
  });
});
