import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { addPeople, HOUR, letterHarness } from "#tests/support/pool/letter-harness.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const DAY = 24 * HOUR;

test.each([
  ["an hour ahead", HOUR],
  ["a day ahead", DAY],
  ["ten years ahead", 3_652 * DAY],
  ["a day behind", -DAY],
])("a letter that is sent while the clock is %s, and then is not, reaches everyone once", async (_, ahead) => {
  const people = await addPeople(250);
  const { clock, sweep, start, pass, accepted, resend } = await letterHarness();
  await start();
  clock.now += ahead;
  await resend.fail("accepted-without-response");
  await sweep();
  clock.now -= ahead;
  for (let hour = 0; hour < 52; hour += 1) {
    await sweep();
    await pass(HOUR);
  }
  expect(await accepted()).toEqual(people);
  const outcomes = await env.DB.prepare("SELECT outcome FROM letter_batches ORDER BY outcome").raw();
  // The owner decides about the batch that was not confirmed.
  expect(outcomes.flat()).toEqual(["done", "done", "unknown"]);
});
