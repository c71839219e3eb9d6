import { expect, test } from "vitest";
import { checkQuestions, questionProblems } from "#app/server/config/question-rules.ts";
import { type Question, questions } from "#app/site.ts";
import { sampleQuestions } from "#tests/support/sample-questions.ts";

const town: Question = { key: "town", label: "Town", wording: "Which town?" };
const tent: Question = { key: "tent", label: "Tent", wording: "A tent?", answers: { yes: "Yes", no: "No" } };
const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`a${index}`, "x"]));

test.each([
  ["the site's own questions", questions],
  ["none", []],
  ["five", sampleQuestions],
])("%s can be asked", (_, list) => {
  expect(questionProblems(list)).toEqual([]);
});

test.each<[string, Question[]]>([
  ["There are 6 questions, but at most 5.", [...sampleQuestions, { ...town, key: "sixth" }]],
  ["Two questions have the key town.", [town, tent, town]],
  ['The question "Home town" needs a key', [{ ...town, key: "Home town" }]],
  ['The question "" needs a key', [{ ...town, key: "" }]],
  ['The question "town" needs a label and a wording.', [{ ...town, wording: " " }]],
  ['The question "tent" has 1 answers, but needs 2 to 8', [{ ...tent, answers: { yes: "Yes" } }]],
  ['The question "tent" has 9 answers, but needs 2 to 8', [{ ...tent, answers: many }]],
  ['The question "tent" has an answer with the key "1"', [{ ...tent, answers: { "1": "One", two: "Two" } }]],
  ['The question "tent" has an answer without words: no.', [{ ...tent, answers: { yes: "Yes", no: "" } }]],
])("%s", (problem, list) => {
  expect(questionProblems(list)).toEqual([expect.stringContaining(problem)]);
  expect(() => checkQuestions(list)).toThrow(`app/site.ts:\n${problem}`);
});
