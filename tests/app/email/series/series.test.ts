import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { readSeriesStats } from "#app/email/series/series-stats.server.ts";
import { extendBack, resumeStep } from "#app/email/series/steps.server.ts";
import { eraseEntry, unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/database.ts";
import { HOUR, MINUTE, recipients } from "#tests/support/pool/letter-harness.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { DAY, joinPeople, seriesHarness } from "#tests/support/pool/series-harness.ts";

freshDatabaseForEachTest();
captureLog();

test("each person is sent each step once, so many days after joining, at the hour", async () => {
  const site = await seriesHarness();
  await site.addOn({ days: 3 });
  await site.addOn({ days: 5 });
  await site.pass(MINUTE);
  await joinPeople(2, { at: site.clock.now });
  await site.pass(2 * DAY);
  expect(await site.sweep()).toBe(true);
  expect(await site.sent()).toEqual([]);
  expect(await site.sweep()).toBe(false);
  // 24 November, 08:59.
  await site.pass(20 * HOUR + 58 * MINUTE);
  expect(await site.sweep()).toBe(false);
  await site.pass(MINUTE);
  await site.sweep();
  const first = ["person1@example.com: After 3 days", "person2@example.com: After 3 days"];
  expect(await site.sent()).toEqual(first);
  for (let hours = 0; hours < 10 * 24; hours += 1) {
    await site.pass(HOUR);
    await site.sweep();
  }
  expect(await site.sent()).toEqual([
    ...first,
    "person1@example.com: After 5 days",
    "person2@example.com: After 5 days",
  ]);
});
