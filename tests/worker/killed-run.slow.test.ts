import { expect, test } from "vitest";
import { busyCron, everythingDone } from "#tests/support/pool/busy-cron.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/database.ts";
import type { Kill } from "#tests/support/pool/killed-process.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { needs } from "#tests/support/pool/needs.ts";

needs("letters");
freshDatabaseForEachTest();
captureLog();

/** More than a run has, so that the last ones show that every step was reached. */
const steps = Array.from({ length: 70 }, (_, index) => index + 1);

const kills = steps.flatMap((step): (Kill & { step: number })[] => [
  { step, when: "before" },
  { step, when: "after" },
]);

const reached = new Set<number>();

test.each(kills)("a run killed $when step $step: the next ones do everything, once", async (kill) => {
  const cron = await busyCron(Date.UTC(2026, 10, 23, 4));
  if (await cron.runUntil(kill)) reached.add(kill.step);
  await cron.runOn();
  expect(await cron.done()).toEqual(everythingDone);
});

test("the kills reached every step of a run, and more steps than it has", () => {
  const last = Math.max(...reached);
  expect(reached.size).toBe(last);
  expect(last).toBeGreaterThan(30);
  expect(last).toBeLessThan(steps.length);
});
