import { test } from "vitest";
import { answerKey, readEarlierAnswers } from "#app/features/import/file/answers.server.ts";
import { guessMapping } from "#app/features/import/file/fields.ts";
import { orderOf, parseDate } from "#app/features/import/file/parse-date.ts";
import { readCsv } from "#app/features/import/file/read-csv.server.ts";
import { toEntry } from "#app/features/import/file/to-entry.server.ts";
import { questions } from "#app/site.ts";
import { expectLinear, type Parser } from "#tests/support/parser-growth.ts";

const choice = questions.find(({ answers }) => answers !== undefined) ?? {
  key: "",
  label: "",
  wording: "",
  answers: {},
};
const zone = { timeZone: "Europe/London", monthFirst: null };
const importSettings = { mapping: ["email", "joined", "status", "source"], consentDate: "joined" } as const;

async function csv(text: string) {
  const { rows } = await readCsv(
    (async function* () {
      yield new TextEncoder().encode(`email,name\n${text}`);
    })(),
  );
  for await (const _ of rows);
}

/** Each with what stands before the hostile text. */
const parsers: Parser[] = [
  ["a file's rows", "a,", (text) => csv(text).catch(() => {})],
  ["a quoted cell", 'a,"', (text) => csv(text).catch(() => {})],
  [
    "a row of a file",
    "a",
    (text) => {
      const settings = { ...importSettings, mapping: [...importSettings.mapping], note: "a", welcome: false, ...zone };
      return toEntry([2, [text, text, text, text]], { settings, now: 0 });
    },
  ],
  ["names of columns", "", (text) => guessMapping([text])],
  ["a date", "2026-11-21", (text) => [parseDate(text, zone), orderOf(text)]],
  ["a date with a time", "2026-11-21 ", (text) => parseDate(`${text}\nx`, zone)],
  ["a date in words", "Mon, 21 November 2026 ", (text) => parseDate(`${text}\nx`, zone)],
  ["answers of an import", "", (text) => [answerKey(choice, text), readEarlierAnswers(text)]],
];

test.each(parsers)("the time of %s grows with its length", (_, before, parse) => expectLinear(before, parse));
