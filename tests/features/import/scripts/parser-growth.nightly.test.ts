import { test } from "vitest";
import { nameSuggests, valueSuggests } from "#app/features/import/file/email-status.ts";
import { guessMapping } from "#app/features/import/file/fields.ts";
import { orderOf, parseDate } from "#app/features/import/file/parse-date.ts";
import { countWord, wordsToAsk } from "#app/features/import/file/questions.ts";
import { readCsv } from "#app/features/import/file/read-csv.server.ts";
import {
  answerKey,
  type ImportSettings,
  readEarlierAnswers,
  toEntry,
} from "#app/features/import/file/to-entry.server.ts";
import { questions } from "#app/site.ts";
import { expectLinear, type Parser } from "#tests/support/parser-growth.ts";

const choice = questions.find(({ answers }) => answers !== undefined);
const zone = { timeZone: "Europe/London", monthFirst: null };
const mapping = ["email", "joined", "status", "labels", null] satisfies ImportSettings["mapping"];
const own = { mapping, consentDate: "joined", note: "a", welcome: false, unsubscribe: true, words: { "4": {} } };
const csv = (text: string) => readCsv(new TextEncoder().encode(`email,name\n${text}`)).catch(() => {});
const cells = (text: string) => [text, text, text, text, text];

function countWords(text: string) {
  const counts = new Map<string, number>();
  for (const cell of text.match(/.{1,80}/gs) ?? []) countWord(counts, cell);
  return wordsToAsk(counts, text, null);
}

/** Each with what stands before the hostile text. */
const parsers: Parser[] = [
  ["a file's rows", "a,", csv],
  ["a file's rows with stray quotation marks", 'x"y,"a"b\n', csv],
  ["a quoted cell", 'a,"', csv],
  ["a row of a file", "a", (text) => toEntry([2, cells(text)], { settings: { ...own, ...zone }, now: 0 })],
  ["names of columns", "", (text) => [guessMapping([text]), nameSuggests(text), valueSuggests(text)]],
  ["words of columns", "", countWords],
  ["a date", "2026-11-21", (text) => [parseDate(text, zone), orderOf(text)]],
  ["a date with a time", "2026-11-21 ", (text) => parseDate(`${text}\nx`, zone)],
  ["a date in words", "Mon, 21 November 2026 ", (text) => parseDate(`${text}\nx`, zone)],
  ["answers of an import", "", (text) => [choice && answerKey(choice, text), readEarlierAnswers(text)]],
];

test.each(parsers)("the time of %s grows with its length", (_, before, parse) => expectLinear(before, parse));
