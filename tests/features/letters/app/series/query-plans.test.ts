import { expect, test } from "vitest";
import { PLAN_RECIPIENTS } from "#app/features/letters/series/plan-step.server.ts";
import { queryPlan } from "#tests/support/pool/query-plan.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

test("the plan of a step's day finds those who joined in time, and the steps of each, by index", async () => {
  expect(await queryPlan("plan a step's day", PLAN_RECIPIENTS)).toEqual([
    "SCAN series_steps EXISTS",
    "SEARCH letter_recipients USING PRIMARY KEY (letter_id=?)",
    "SEARCH letters USING COVERING INDEX letters_step_id (step_id=? AND rowid=?)",
    "SEARCH other USING COVERING INDEX letter_recipients_entry (entry_id=?)",
    "SEARCH other USING INDEX letter_recipients_entry (entry_id=?)",
    "SEARCH waitlist_emails USING INDEX waitlist_emails_created_at (created_at>? AND created_at<?)",
  ]);
});
