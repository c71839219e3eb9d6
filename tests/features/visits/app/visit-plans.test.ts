import { expect, test } from "vitest";
import { ADD_VISITS, RANK_VISITS } from "#app/features/visits/add-visits.server.ts";
import { queryPlan } from "#tests/support/pool/query-plan.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

test.each([
  ["add visits", ADD_VISITS],
  ["keep the most visited names", RANK_VISITS],
])("to %s, the row of the day is found by its key", async (name, text) => {
  expect(await queryPlan(name, text)).toEqual([]);
});
