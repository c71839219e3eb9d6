import fc from "fast-check";
import { test } from "vitest";
import {
  beginSeries,
  FAILURES,
  type Happening,
  type Leaving,
  STEP_DAYS,
} from "#tests/features/letters/pool/series-life.ts";
import { fuzzCases, fuzzSeed } from "#tests/support/pool/fuzz.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { emptyDatabase } from "#tests/support/pool/start.ts";

captureLog();

const seed = fuzzSeed();

/** Where clocks change in these days, where they do so at midnight, and far from UTC. */
const ZONES = ["Europe/London", "America/Santiago", "Asia/Kathmandu", "America/Los_Angeles"];

/** Emails an hour: more than are due, and so few that some wait for days. */
const LIMITS = [1_000_000, 4];

const step = fc.nat(STEP_DAYS.length - 1);
const of = (kind: Happening["kind"], fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record({ kind: fc.constant(kind), ...fields });

const happening = fc.oneof(
  {
    weight: 8,
    arbitrary: of("join", {
      people: fc.integer({ min: 1, max: 8 }),
      // Hours until they confirm their address, if they have to.
      confirmAfter: fc.option(fc.integer({ min: 1, max: 100 }), { freq: 3 }),
    }),
  },
  // Up to midnight, and beyond.
  { weight: 2, arbitrary: of("minutes", { minutes: fc.integer({ min: 1, max: 59 }) }) },
  { weight: 12, arbitrary: of("wait", { hours: fc.integer({ min: 1, max: 30 }) }) },
  {
    weight: 4,
    arbitrary: of("leave", {
      who: fc.nat(40),
      how: fc.constantFrom<Leaving[]>("unsubscribe", "unsubscribe", "suppress", "erase", "invite"),
    }),
  },
  { weight: 2, arbitrary: of("rejoin", { who: fc.nat(40) }) },
  { weight: 12, arbitrary: fc.record({ kind: fc.constantFrom("off", "on", "on", "edit"), step }) },
  { weight: 2, arbitrary: of("replace", { step }) },
  { weight: 2, arbitrary: of("move", { step, days: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 2, arbitrary: of("extend", { step, days: fc.integer({ min: 1, max: 8 }) }) },
  { weight: 3, arbitrary: of("fail", { failures: fc.array(fc.nat(FAILURES.length - 1), { maxLength: 4 }) }) },
  // The cron job does not run, for up to five days.
  { weight: 1, arbitrary: of("outage", { hours: fc.integer({ min: 20, max: 120 }) }) },
) as fc.Arbitrary<Happening>;

const lives = fc.record({
  timeZone: fc.constantFrom(...ZONES),
  perHour: fc.constantFrom(...LIMITS),
  // Without failures of the provider, more can be said of each email.
  canFail: fc.boolean(),
  happenings: fc.array(happening, { minLength: 20, maxLength: 50 }),
});

test("whatever happens, each person is sent each step once, in order and in time, or there is a reason why not", async () => {
  await fc.assert(
    fc.asyncProperty(lives, async ({ timeZone, perHour, canFail, happenings }) => {
      await emptyDatabase();
      const life = await beginSeries(timeZone, perHour);
      for (const what of happenings) if (canFail || what.kind !== "fail") await life.let(what);
      for (const at of STEP_DAYS.keys()) await life.let({ kind: "on", step: at });
      await life.let({ kind: "wait", hours: 12 * 24 });
      await life.checkReasons();
    }),
    { seed, numRuns: fuzzCases(20), endOnFailure: true },
  );
}, 600_000);
