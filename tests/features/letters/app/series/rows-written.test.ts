import { expect, test } from "vitest";
import { applyProviderEvent } from "#app/email/provider-events.server.ts";
import { readSeriesStats } from "#app/features/letters/series/series-stats.server.ts";
import type { StepDraft } from "#app/features/letters/series/steps.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { MINUTE } from "#tests/features/letters/pool/letter-harness.ts";
import { DAY, joinPeople, seriesHarness } from "#tests/features/letters/pool/series-harness.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

test.each([
  { due: 1, most: 10, total: 10, what: "one step" },
  { due: 100, most: 4, total: 307, what: "one step" },
  {
    due: 1,
    most: 10,
    total: 10,
    what: "a view as its audience",
    audience: { name: "All", filter: { source: "landing_page" } },
  },
  // One row for each of the other steps: that the day is planned.
  { due: 1, most: 14, total: 14, what: "five steps", steps: 5 },
  // Who has an answer has it stored until the outcome is known.
  { due: 100, most: 6, total: 507, what: "a greeting", body: "Hello {{role|friend}}." },
])(
  "a day with $due due writes at most $most rows for each email with $what",
  async ({ due, most, total, steps = 1, ...given }) => {
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
    // The figures in docs/series.md are made of these.
    expect(written).toEqual([total, total, total]);
    expect(total).toBeLessThanOrEqual(most * due);
  },
);

test("a bounce reads few rows, however many people were sent the step", async () => {
  const site = await seriesHarness();
  const { letter_id } = await site.addOn({ days: 1 });
  await joinPeople(900, { at: site.clock.now + 1 });
  await site.pass(DAY);
  await site.sweep();
  const { key } = await site.letter(letter_id ?? 0);
  const { d1, rowsRead } = meteredD1();
  const event = {
    id: "event",
    kind: "hard-bounce",
    about: { letter: key, entryId: 1 },
    recipient: "person1@example.com",
  } as const;
  await applyProviderEvent({ ...site.deps, db: openDb(d1) }, event);
  expect((await readSeriesStats(site.db)).get(1)).toMatchObject({ sent: 900, bounced: 1 });
  expect(rowsRead()).toBeLessThan(200);
});
