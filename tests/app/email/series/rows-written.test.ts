import { expect, test } from "vitest";
import type { StepDraft } from "#app/email/series/steps.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/database.ts";
import { MINUTE } from "#tests/support/pool/letter-harness.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { meteredD1 } from "#tests/support/pool/metered-d1.ts";
import { DAY, joinPeople, seriesHarness } from "#tests/support/pool/series-harness.ts";

freshDatabaseForEachTest();
captureLog();

test.each([
  { due: 1, most: 8, what: "one step" },
  { due: 100, most: 4, what: "one step" },
  { due: 1, most: 8, what: "a view as its audience", audience: { name: "All", filter: { source: "landing_page" } } },
  // One row for each of the other steps: that the day is planned.
  { due: 1, most: 12, what: "five steps", steps: 5 },
  // Who has an answer has it stored until the outcome is known.
  { due: 100, most: 6, what: "a greeting", body: "Hello {{role|friend}}." },
])(
  "a day with $due due writes at most $most rows for each email with $what",
  async ({ due, most, steps = 1, ...given }) => {
    const site = await seriesHarness();
    const { what: _, ...draft } = given as Partial<StepDraft> & { what?: string };
    await site.addOn({ days: 3, ...draft });
    for (let other = 1; other < steps; other += 1) await site.addOn({ days: 100 + other });
    // On several days: the first may be cheaper or dearer than those after it.
    const days = 3;
    for (let day = 0; day < days; day += 1)
      await joinPeople(due, { at: site.clock.now + day * DAY + 1, first: 1 + day * due });
    await site.pass(3 * DAY);
    const written: number[] = [];
    for (let day = 0; day < days; day += 1) {
      const { d1, rowsWritten } = meteredD1();
      await site.sweep({ db: openDb(d1) });
      expect(await site.sent()).toHaveLength((day + 1) * due);
      written.push(rowsWritten());
      await site.pass(MINUTE);
      expect(await site.sweep()).toBe(false);
      await site.pass(DAY - MINUTE);
    }
    expect(Math.max(...written)).toBeLessThanOrEqual(most * due);
  },
);
