import { expect, test } from "vitest";
import { selectionDetails } from "#app/features/entries/list-state.ts";
import { activeFilters, filterProblem } from "#app/waitlist/filter/entry-filter.server.ts";

test("several answers are one filter, which is removed as one", () => {
  const filter = { answers: { role: ["host", "both"] }, imported: true };
  expect(activeFilters(filter).map(({ text, rest }) => [text, rest])).toEqual([
    ["Role: Event host or Both", { imported: true }],
    ["Imported: Yes", { answers: { role: ["host", "both"] } }],
  ]);
  const [three] = activeFilters({ answers: { role: ["host", "both", "curious"] } });
  expect(three?.text).toBe("Role: Event host, Both or Just curious");
  expect(selectionDetails(filter)).toEqual({ filter: "answer_role=host&answer_role=both&imported=yes" });
});

test("what entries lack stays a filter each", () => {
  const filter = { utm_source: null, utm_campaign: null, invited: false };
  expect(activeFilters(filter).map(({ text }) => text)).toEqual([
    "Invited: Not yet",
    "Without: Campaign source",
    "Without: Campaign",
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
