import { expect, test } from "vitest";
import { selectionDetails } from "#app/owner/entries/describe-selection.ts";
import { activeFilters, filterProblem } from "#app/owner/ui/filter-labels.ts";
import { questions } from "#app/site.ts";

const question = questions.find(({ answers = {} }) => Object.keys(answers).length > 2);
const [first = "", second = "", third = ""] = Object.keys(question?.answers ?? {});
const word = (answer: string) => question?.answers?.[answer];

test.skipIf(question === undefined)("several answers are one filter, which is removed as one", () => {
  const { key, label } = question ?? { key: "", label: "" };
  const filter = { answers: { [key]: [first, second] }, imported: true };
  expect(activeFilters(filter).map(({ text, rest }) => [text, rest])).toEqual([
    [`${label}: ${word(first)} or ${word(second)}`, { imported: true }],
    ["Imported: Yes", { answers: { [key]: [first, second] } }],
  ]);
  const [three] = activeFilters({ answers: { [key]: [first, second, third] } });
  expect(three?.text).toBe(`${label}: ${word(first)}, ${word(second)} or ${word(third)}`);
  const field = `answer_${key}`;
  expect(selectionDetails(filter)).toEqual({ filter: `${field}=${first}&${field}=${second}&imported=yes` });
});

test("what entries lack stays a filter each", () => {
  const filter = { utm_source: null, utm_campaign: null, invited: false };
  expect(activeFilters(filter).map(({ text }) => text)).toEqual([
    "Without: Campaign source",
    "Without: Campaign",
    "Invited: Not yet",
  ]);
});

test("friends and milestones are named", () => {
  expect(activeFilters({ friends: 3, milestone: false }).map(({ text, rest }) => [text, rest])).toEqual([
    ["Friends counted, at least: 3", { milestone: false }],
    ["Milestone reached: No", { friends: 3 }],
  ]);
});

test("a problem names filters as pages do", () => {
  expect(filterProblem("until", "must not be earlier than from")).toBe("must not be earlier than “Joined from”");
  expect(filterProblem("status", "must be one of active, unsubscribed")).toBe("must be one of Active, Unsubscribed");
});
