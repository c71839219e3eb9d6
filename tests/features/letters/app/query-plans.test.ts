import { expect, test } from "vitest";
import {
  BEGIN_ATTEMPT,
  CLAIM_BATCHES,
  RECORD_RECIPIENTS,
  SKIP_RECIPIENTS,
  STORE_ANSWERS,
} from "#app/features/letters/send/batches.server.ts";
import { queryPlan } from "#tests/support/pool/query-plan.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const batches = "SEARCH letter_batches USING PRIMARY KEY (letter_id=? AND number=?)";
const batchesInRange = "SEARCH letter_batches USING PRIMARY KEY (letter_id=? AND number>? AND number<?)";
const membersInRange = "SEARCH member USING PRIMARY KEY (letter_id=? AND position>? AND position<?)";

test.each([
  [
    "claim batches",
    CLAIM_BATCHES,
    [
      "SEARCH email_outbox USING INDEX email_outbox_dead_at (dead_at>?)",
      "SEARCH email_outbox USING INDEX email_outbox_done_at (done_at>?)",
      "SEARCH email_outbox USING INDEX email_outbox_due (priority=? AND network=? AND next_attempt_at>? AND next_attempt_at<?)",
      "SEARCH letter_batches USING INDEX letter_batches_done_at (done_at>?)",
      "SEARCH letter_batches USING INDEX letter_batches_waiting (letter_id=?)",
      batches,
      // Only before the first pause of a follow-up.
      "SEARCH letter_batches USING PRIMARY KEY (letter_id=?)",
      "SEARCH letter_recipients USING PRIMARY KEY (letter_id=? AND position>? AND position<?)",
      "SEARCH letter_recipients USING PRIMARY KEY (letter_id=? AND position>?)",
    ],
  ],
  [
    "check who is skipped",
    SKIP_RECIPIENTS,
    [batches, "SEARCH letter_recipients USING PRIMARY KEY (letter_id=? AND position=?)", membersInRange],
  ],
  ["begin an attempt", BEGIN_ATTEMPT, [batchesInRange]],
  ["keep the answers in greetings", STORE_ANSWERS, [batches, membersInRange]],
  [
    "record what became of recipients",
    RECORD_RECIPIENTS,
    [batchesInRange, "SEARCH letter_recipients USING PRIMARY KEY (letter_id=? AND position>? AND position<?)"],
  ],
])("to %s, no table of a letter is read beyond its batches", async (name, text, plan) => {
  expect(await queryPlan(name, text)).toEqual(plan);
});
