import { expect, test } from "vitest";
import { readSeriesStats } from "#app/email/series/series-stats.server.ts";
import { changeStep, deleteStep, extendBack, findStep, switchOff, switchOn } from "#app/email/series/steps.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/database.ts";
import { type Kill, killedProcess } from "#tests/support/pool/killed-process.ts";
import { MINUTE } from "#tests/support/pool/letter-harness.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { DAY, joinPeople, seriesHarness } from "#tests/support/pool/series-harness.ts";

freshDatabaseForEachTest();
captureLog();

/** More than a run has, so that the last ones show that every step of it was reached. */
const killsOf = (steps: number) =>
  Array.from({ length: steps }, (_, index) => index + 1).flatMap((step): (Kill & { step: number })[] => [
    { step, when: "before" },
    { step, when: "after" },
  ]);

const runs = killsOf(40);
const reached = new Set<number>();

test.each(runs)("killed $when step $step of a run: everyone is sent each step once, on another day", async (kill) => {
  const site = await seriesHarness();
  const first = await site.addOn({ days: 2, body: "Hello {{role|friend}}." });
  const second = await site.addOn({ days: 3 });
  await joinPeople(250, { at: site.clock.now + 1 });
  await joinPeople(150, { at: site.clock.now - 1 + DAY, first: 251 });
  // Everyone is due for the first step, and those who joined earlier for the second one as well.
  await site.pass(3 * DAY);
  const { d1, mailer, wasKilled, untilDead } = killedProcess(site.deps.mailer, kill);
  await untilDead(site.sweep({ db: openDb(d1), mailer }));
  if (wasKilled()) reached.add(kill.step);
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
});

test("the kills reached every step of a run, and more steps than it has", () => {
  const last = Math.max(...reached);
  expect(reached.size).toBe(last);
  expect(last).toBeGreaterThan(15);
  expect(last).toBeLessThan(runs.length / 2);
});

const later = killsOf(30);
const reachedLater = new Set<number>();

test.each(later)("killed $when step $step of the run after a change: everyone is sent it once", async (kill) => {
  const site = await seriesHarness();
  const { id } = await site.addOn({ days: 1, subject: "Old", body: "Hello {{role|friend}}." });
  await joinPeople(650, { at: site.clock.now + 1 });
  await site.pass(DAY);
  // One batch of four gets no response, and two are written, but not begun.
  await site.resend.fail("accepted-without-response");
  await site.sweep({ subrequests: 60 });
  await site.change(id, { subject: "New" });
  await site.pass(3 * MINUTE);
  const { d1, mailer, wasKilled, untilDead } = killedProcess(site.deps.mailer, kill);
  await untilDead(site.sweep({ db: openDb(d1), mailer }));
  if (wasKilled()) reachedLater.add(kill.step);
  for (let restart = 0; restart < 4; restart += 1) {
    await site.pass(3 * MINUTE);
    await site.sweep();
  }
  expect(await sentOf(site)).toEqual({ people: 650, emails: 650 });
  expect((await readSeriesStats(site.db)).get(id)).toMatchObject({ sent: 650, pending: 0, skipped: 0, unknown: 0 });
});

test("the kills reached every step of that run as well", () => {
  const last = Math.max(...reachedLater);
  expect(reachedLater.size).toBe(last);
  expect(last).toBeGreaterThan(12);
  expect(last).toBeLessThan(later.length / 2);
});

// Each change is one D1 batch.
const changes = killsOf(1).flatMap((kill) =>
  (["change", "off", "on", "delete", "extend"] as const).map((change) => ({ ...kill, change })),
);

test.each(changes)("killed $when step $step of a $change: it is made, or it is not", async ({ change, ...kill }) => {
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
});

async function sentOf(site: Awaited<ReturnType<typeof seriesHarness>>) {
  const sent = await site.sent();
  expect(new Set(sent).size).toBe(sent.length);
  return { people: new Set(sent.map((email) => email.split(":")[0])).size, emails: sent.length };
}
