import { expect, test } from "vitest";
import { readSeriesStats } from "#app/features/letters/series/series-stats.server.ts";
import {
  changeStep,
  deleteStep,
  extendBack,
  findStep,
  switchOff,
  switchOn,
} from "#app/features/letters/series/steps.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { killsOf, MINUTE } from "#tests/features/letters/pool/letter-harness.ts";
import { DAY, joinPeople, seriesHarness } from "#tests/features/letters/pool/series-harness.ts";
import { type Kill, killedProcess } from "#tests/support/pool/d1.ts";
import { freshDatabaseForEachTest, sampleCases } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

/** More than a run has. */
const STEPS = 40;

/** 400 people who are due for a step of the series, some of them for the next one as well. */
async function dueForTwoSteps() {
  const site = await seriesHarness();
  const first = await site.addOn({ days: 2, body: "Hello {{role|friend}}." });
  const second = await site.addOn({ days: 3 });
  await joinPeople(250, { at: site.clock.now + 1 });
  await joinPeople(150, { at: site.clock.now - 1 + DAY, first: 251 });
  await site.pass(3 * DAY);
  return { site, first, second };
}

/** 650 people of a step that was changed after one batch of four got no response, and while two were written, but not started. */
async function changedStep() {
  const site = await seriesHarness();
  const { id } = await site.addOn({ days: 1, subject: "Old", body: "Hello {{role|friend}}." });
  await joinPeople(650, { at: site.clock.now + 1 });
  await site.pass(DAY);
  await site.resend.fail("accepted-without-response");
  await site.sweep({ subrequests: 60 });
  await site.change(id, { subject: "New" });
  await site.pass(3 * MINUTE);
  return { site, id };
}

type Site = Awaited<ReturnType<typeof seriesHarness>>;

/** A run that is killed, or goes to its end. */
async function run(site: Site, kill?: Kill) {
  const killed = killedProcess(site.deps.mailer, kill);
  await killed.untilDead(site.sweep({ db: openDb(killed.d1), mailer: killed.mailer }));
  return killed.steps();
}

test.each([
  ["a run", async () => (await dueForTwoSteps()).site],
  ["the run after a change", async () => (await changedStep()).site],
])("%s has fewer steps than there are kills", async (_, prepare) => {
  const steps = await run(await prepare());
  expect(steps).toBeGreaterThan(12);
  expect(steps).toBeLessThan(STEPS);
});

test.each(killsOf(STEPS, 17))(
  "killed $when step $step of a run: everyone is sent each step once, on another day",
  async (kill) => {
    const { site, first, second } = await dueForTwoSteps();
    await run(site, kill);
    for (let restart = 0; restart < 3; restart += 1) {
      await site.pass(3 * MINUTE);
      await site.sweep();
    }
    expect(await sentOf(site)).toEqual({ people: 400, emails: 400 });
    for (let day = 0; day < 3; day += 1) {
      await site.pass(DAY);
      await site.sweep();
    }
    expect(await sentOf(site)).toEqual({ people: 400, emails: 800 });
    const stats = await readSeriesStats(site.db);
    for (const { id } of [first, second]) {
      expect(stats.get(id)).toMatchObject({ sent: 400, pending: 0, skipped: 0, unknown: 0, failed: 0 });
    }
  },
);

test.each(killsOf(STEPS, 23))(
  "killed $when step $step of the run after a change: everyone is sent it once",
  async (kill) => {
    const { site, id } = await changedStep();
    await run(site, kill);
    for (let restart = 0; restart < 4; restart += 1) {
      await site.pass(3 * MINUTE);
      await site.sweep();
    }
    expect(await sentOf(site)).toEqual({ people: 650, emails: 650 });
    expect((await readSeriesStats(site.db)).get(id)).toMatchObject({ sent: 650, pending: 0, skipped: 0, unknown: 0 });
  },
);

// Each change is one D1 batch.
const changes = (["before", "after"] as const).flatMap((when) =>
  (["change", "off", "on", "delete", "extend"] as const).map((change) => ({ step: 1, when, change })),
);

test.each(sampleCases(changes))(
  "killed $when step $step of a $change: it is made, or it is not",
  async ({ change, ...kill }) => {
    const site = await seriesHarness();
    const { id } = await site.addOn({ days: 1, subject: "Old" });
    await joinPeople(150, { at: site.clock.now + 1 });
    await site.pass(DAY);
    // One batch gets no response, so that it is open.
    await site.resend.fail("accepted-without-response");
    await site.sweep();
    if (change === "on") await site.off(id);
    const { d1, untilDead, wasKilled } = killedProcess(site.deps.mailer, kill);
    const deps = { ...site.stepDeps, db: openDb(d1) };
    const step = await site.find(id);
    const work = {
      change: () => changeStep(deps, step, { ...step, subject: "New" }),
      off: () => switchOff(deps, step),
      on: () => switchOn(deps, step),
      delete: () => deleteStep(deps, step),
      extend: () => extendBack(deps, step, 2),
    };
    await untilDead(work[change]());
    expect(wasKilled()).toBe(true);
    const now = await findStep(site.db, id);
    if (kill.when === "before") expect(now).toEqual(step);
    else {
      const done = {
        change: { subject: "New", letter_id: (step.letter_id ?? 0) + 1, planned_day: null },
        off: { letter_id: null, planned_day: null },
        on: { letter_id: expect.any(Number), planned_day: null },
        delete: null,
        extend: { letter_id: step.letter_id, since: site.clock.now - 2 * DAY, planned_day: null },
      };
      if (done[change] === null) expect(now).toBeNull();
      else expect(now).toMatchObject(done[change]);
    }
    if (now?.letter_id === null) await site.on(id);
    await site.days(2, 30 * MINUTE);
    // Both batches had been tried before.
    expect(await sentOf(site)).toEqual({ people: 150, emails: 150 });
  },
);

async function sentOf(site: Site) {
  const sent = await site.sent();
  expect(new Set(sent).size).toBe(sent.length);
  return { people: new Set(sent.map((email) => email.split(":")[0])).size, emails: sent.length };
}
