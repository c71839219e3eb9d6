import { expect, test } from "vitest";
import { readListState } from "#app/features/entries/list-state.ts";
import { formatRate } from "#app/owner/ui/labels.ts";

test.each([
  [1, 2_498, "0.04%"],
  [1, 1_000_000, "<0.01%"],
  [0, 10, "0%"],
  [1, 8, "12.5%"],
  [10, 10, "100%"],
  [1, 0, "–"],
])("%i of %i is %s", (part, whole, text) => {
  expect(formatRate(part, whole)).toBe(text);
});

test.each([
  ["from=2026-11-22&until=2026-11-21", "“Joined until” must not be earlier than “Joined from”."],
  ["from=2026-11-21&until_time=10:00", "“Joined until, time” needs a day in “Joined until”."],
  ["status=activ", "“Status” must be one of Active, Unconfirmed, Suppressed, Unsubscribed."],
  ["answer_role=admin", "“Role” must be one of Event host, Stallholder, Both, Just curious."],
  ["utm_source=x&without=utm_source", "“Without” cannot be combined with “Campaign source”."],
])("a filter's problem is said in the words of the page: %s", (search, problem) => {
  expect(readListState(new URLSearchParams(search)).problems).toEqual([problem]);
});
