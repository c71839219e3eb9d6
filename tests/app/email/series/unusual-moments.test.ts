import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { findLetter } from "#app/email/letters/letters.server.ts";
import { sendLetters } from "#app/email/letters/send-letters.server.ts";
import { applyProviderEvent } from "#app/email/provider-events.server.ts";
import { countJoined } from "#app/email/series/count-people.server.ts";
import { planStep } from "#app/email/series/plan-step.server.ts";
import { readSeriesStats } from "#app/email/series/series-stats.server.ts";
import { changeStep, deleteStep, extendBack, switchOff } from "#app/email/series/steps.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { wrapD1 } from "#app/server/db/wrap-d1.server.ts";
import { rejoinEntry, unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { apiError } from "#scripts/lib/resend-rules.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/database.ts";
import { HOUR, MINUTE, recipients } from "#tests/support/pool/letter-harness.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { meteredD1 } from "#tests/support/pool/metered-d1.ts";
import { DAY, joinPeople, type SeriesHarness, seriesHarness } from "#tests/support/pool/series-harness.ts";

freshDatabaseForEachTest();
captureLog();

/** Pauses a step's letter as an event about complaints does. */
async function complain(letterId: number | null): Promise<void> {
  await env.DB.prepare("UPDATE letters SET state = 'paused', pause_reason = 'complaints' WHERE id = ?")
    .bind(letterId)
    .run();
}

/** A mailer that does something else before each request. */
function beforeRequests({ deps }: SeriesHarness, act: () => Promise<unknown>) {
  const { batch, ...mailer } = deps.mailer;
  return {
    ...mailer,
    batch: async (...args: Parameters<NonNullable<typeof batch>>) => {
      await act();
      if (batch === undefined) throw new Error("This mailer sends no batches");
      return batch(...args);
    },
  };
}

test.each([
  ["deleted", (site: SeriesHarness, id: number) => site.find(id).then((step) => deleteStep(site.stepDeps, step))],
  ["switched off", (site: SeriesHarness, id: number) => site.off(id)],
  ["changed", (site: SeriesHarness, id: number) => site.change(id, { body: "Mended." })],
])("a step that waits for the owner with a batch in doubt, and is %s, holds nobody back", async (_, act) => {
  const site = await seriesHarness();
  const { id, letter_id } = await site.addOn({ days: 1 });
  await site.addOn({ days: 2 });
  await joinPeople(1, { at: site.clock.now + 1 });
  await site.pass(DAY);
  await site.resend.fail("broken");
  await site.sweep();
  await site.pass(HOUR);
  await complain(letter_id);
  await act(site, id);
  await joinPeople(1, { at: site.clock.now + 1, first: 2 });
  await site.days(5);
  expect(await site.sent()).toContain("person1@example.com: After 2 days");
  expect(await site.sent()).toContain("person2@example.com: After 2 days");
  expect((await recipients())[0]).toMatchObject({ state: "unknown", reason: "never-confirmed" });
  expect((await site.letter(letter_id ?? 0)).state).toBe("finished");
});

test("deleted while its batch is refused for a fault of the configuration, it holds nobody back", async () => {
  const site = await seriesHarness();
  const { id } = await site.addOn({ days: 1 });
  await site.addOn({ days: 2 });
  await joinPeople(1, { at: site.clock.now + 1 });
  await site.pass(DAY);
  await site.resend.fail(apiError(403, "invalid_api_key", "API key is invalid."));
  await site.sweep({
    mailer: beforeRequests(site, async () => {
      const steps = await env.DB.prepare("SELECT id FROM series_steps WHERE id = ?").bind(id).all();
      if (steps.results.length > 0) await deleteStep(site.stepDeps, await site.find(id));
    }),
  });
  await env.DB.exec("DELETE FROM email_pauses");
  await joinPeople(1, { at: site.clock.now + 1, first: 2 });
  await site.days(5);
  expect(await site.sent()).toEqual(["person1@example.com: After 2 days", "person2@example.com: After 2 days"]);
});

test("refused while it is switched off, a batch is sent to nobody after", async () => {
  const site = await seriesHarness();
  const { id } = await site.addOn({ days: 1 });
  await joinPeople(1, { at: site.clock.now + 1 });
  await site.pass(DAY);
  await site.resend.fail(apiError(429, "rate_limit_exceeded", "Too many requests."));
  await site.sweep({ mailer: beforeRequests(site, () => site.off(id)) });
  await site.days(2);
  expect(await site.sent()).toEqual([]);
  expect(await recipients()).toEqual([]);
});

test("whoever leaves is counted for the email that came last, not for the letter that was made last", async () => {
  const site = await seriesHarness();
  const first = await site.addOn({ days: 1 });
  const second = await site.addOn({ days: 2 });
  await joinPeople(2, { at: site.clock.now + 1 });
  await site.change(first.id, { body: "Changed." });
  await site.days(3);
  await unsubscribeEntry(site.db, 1, site.clock.now);
  const stats = await readSeriesStats(site.db);
  expect([stats.get(first.id)?.unsubscribed, stats.get(second.id)?.unsubscribed]).toEqual([0, 1]);
  const letter = await site.start();
  await site.sweep();
  await unsubscribeEntry(site.db, 2, site.clock.now + 1);
  const rows = await recipients();
  expect(rows.find(({ letter_id }) => letter_id === letter)?.unsubscribed_at).toBe(site.clock.now + 1);
});

test("a clock that is a second behind, or was a year ahead, sends it to nobody who joined before", async () => {
  const site = await seriesHarness();
  await joinPeople(2, { at: site.clock.now - 2 * DAY });
  await site.addOn({ days: 1 });
  site.clock.now -= 1_000;
  await site.sweep();
  expect(await site.sent()).toEqual([]);
  const now = site.clock.now + 1_000;
  site.clock.now = now + 365 * DAY;
  await site.sweep();
  site.clock.now = now;
  await joinPeople(1, { at: now + 1, first: 3 });
  await site.days(3);
  expect(await site.sent()).toEqual(["person3@example.com: After 1 days"]);
});

test("with a lower send limit, its batches have fewer recipients", async () => {
  const site = await seriesHarness({ perHour: 1_000 });
  await site.addOn({ days: 1 });
  await joinPeople(40, { at: site.clock.now + 1 });
  await site.pass(DAY);
  await site.sweep({ emailsPerHour: 20 });
  expect(await site.sent()).toHaveLength(15);
  for (let hour = 0; hour < 3; hour += 1) {
    await site.pass(HOUR + MINUTE);
    await site.sweep({ emailsPerHour: 20 });
  }
  expect(new Set(await site.sent()).size).toBe(40);
});

test("batches of a few people do not use up the hour's share", async () => {
  const site = await seriesHarness({ perHour: 100 });
  await site.addOn({ days: 1 });
  await joinPeople(60, { at: site.clock.now + 1 });
  await env.DB.exec("UPDATE waitlist_emails SET consent_version = NULL WHERE id > 1");
  await site.addOn({ days: 2 });
  await site.pass(DAY);
  await joinPeople(2, { at: site.clock.now + 1, first: 61 });
  await site.sweep();
  await site.pass(DAY);
  // Two for the first step, and one for the second.
  await site.sweep();
  expect(await site.sent()).toHaveLength(4);
  await site.start();
  await site.pass(MINUTE);
  await site.sweep();
  expect(await site.sent()).toHaveLength(4 + 62);
});

test("a run with few statements left begins no batch that it does not send", async () => {
  const site = await seriesHarness();
  const { id } = await site.addOn({ days: 1 });
  await joinPeople(150, { at: site.clock.now + 1 });
  await site.pass(DAY);
  for (let subrequests = 1; subrequests < 45; subrequests += 1) {
    await site.sweep({ subrequests });
    const { results } = await env.DB.prepare("SELECT outcome FROM letter_batches WHERE attempts > 0").all();
    expect(results.filter(({ outcome }) => outcome !== "done")).toEqual([]);
  }
  await site.off(id);
  expect((await recipients()).filter(({ state }) => state === "pending")).toEqual([]);
});

test("a series that waits for the owner costs one statement a minute", async () => {
  const site = await seriesHarness();
  const { letter_id } = await site.addOn({ days: 1 });
  await complain(letter_id);
  await site.pass(DAY);
  const { d1, executed } = meteredD1();
  expect([await site.sweep({ db: openDb(d1) }), executed.length]).toEqual([false, 1]);
});

test("a change does not end the pause after the first 1,000 emails, nor repeat it", async () => {
  const site = await seriesHarness();
  const { id } = await site.addOn({ days: 1 });
  await joinPeople(2_500, { at: site.clock.now + 1 });
  await site.pass(DAY);
  await site.sweep();
  await site.change(id, { body: "Without the typo." });
  await site.pass(MINUTE);
  await site.sweep();
  expect(await site.sent()).toHaveLength(1_000);
  await site.pass(30 * MINUTE);
  await site.sweep();
  expect(new Set(await site.sent()).size).toBe(2_500);
});

test("of two changes at once, and of a change and switching off, the later one is refused", async () => {
  const site = await seriesHarness();
  const { id } = await site.addOn({ days: 1 });
  const step = await site.find(id);
  const { stepDeps } = site;
  expect(await changeStep(stepDeps, step, { ...step, subject: "One" })).toBe(true);
  expect(await changeStep(stepDeps, step, { ...step, subject: "Two" })).toBe(false);
  const changed = await site.find(id);
  expect([changed.subject, (await site.letter(changed.letter_id ?? 0)).subject]).toEqual(["One", "One"]);
  await switchOff(stepDeps, changed);
  expect(await changeStep(stepDeps, changed, { ...changed, subject: "Three" })).toBe(false);
  expect(await site.find(id)).toMatchObject({ subject: "One", letter_id: null });
});

test("extended while its recipients are written, it is sent to those who joined before as well", async () => {
  const site = await seriesHarness();
  await joinPeople(2, { at: site.clock.now - DAY });
  const { id, letter_id } = await site.addOn({ days: 1 });
  const letter = await findLetter(site.db, letter_id ?? 0);
  if (letter === null) throw new Error("The step has no letter");
  let isExtended = false;
  const d1 = wrapD1(env.DB, async (work, statements) => {
    if (statements.length > 1 && !isExtended) {
      isExtended = true;
      await extendBack(site.stepDeps, await site.find(id), 2);
    }
    return work();
  });
  await planStep({ ...site.stepDeps, db: openDb(d1), launchUrl: undefined }, letter);
  expect(isExtended).toBe(true);
  await site.days(1);
  expect(await site.sent()).toHaveLength(2);
});

test("who left and rejoins goes on from when they joined", async () => {
  const site = await seriesHarness();
  await site.addOn({ days: 2 });
  await joinPeople(1, { at: site.clock.now - 20 * DAY });
  await joinPeople(1, { at: site.clock.now + 1, first: 2 });
  await site.pass(DAY);
  for (const id of [1, 2]) {
    await unsubscribeEntry(site.db, id, site.clock.now);
    await rejoinEntry(site.db, id, site.clock.now + 1);
  }
  await site.days(6);
  expect(await site.sent()).toEqual(["person2@example.com: After 2 days"]);
});

test("with the feature switched off, a batch that waits is not sent", async () => {
  const site = await seriesHarness();
  await site.addOn({ days: 1 });
  await joinPeople(1, { at: site.clock.now + 1 });
  await site.resend.fail("broken");
  await site.pass(DAY);
  await site.sweep();
  await site.pass(10 * MINUTE);
  await sendLetters(site.deps, { subrequests: 876, until: site.clock.now + 55_000 });
  expect(await site.sent()).toEqual([]);
});

test("an email that arrived without a response is not counted as skipped after the launch", async () => {
  const site = await seriesHarness();
  const { id } = await site.addOn({ days: 1 });
  await joinPeople(1, { at: site.clock.now + 1 });
  await site.resend.fail("accepted-without-response");
  await site.pass(DAY);
  await site.sweep();
  expect(await site.sent()).toHaveLength(1);
  site.launch("https://app.example.com/");
  await site.days(2);
  expect((await readSeriesStats(site.db)).get(id)).toMatchObject({ skipped: 0, unknown: 1, pending: 0 });
});

test("nobody is sent more than five, although steps are deleted and others added", async () => {
  const site = await seriesHarness();
  const [first] = await Promise.all([1, 2, 3, 4, 5].map((days) => site.addOn({ days })));
  if (first === undefined) throw new Error("There is no step");
  await joinPeople(1, { at: site.clock.now + 1 });
  await site.days(5);
  expect(await site.sent()).toHaveLength(5);
  await deleteStep(site.stepDeps, first);
  const { id } = await site.addOn({ days: 6 });
  await extendBack(site.stepDeps, await site.find(id), 9);
  await site.days(4);
  expect(await site.sent()).toHaveLength(5);
  expect((await readSeriesStats(site.db)).get(id)).toMatchObject({ reasons: [{ reason: "enough", people: 1 }] });
});

test("three runs at once send each step once, and never two on one day", async () => {
  const site = await seriesHarness();
  for (const days of [1, 2]) await site.addOn({ days });
  await joinPeople(450, { at: site.clock.now + 1 });
  await joinPeople(450, { at: site.clock.now + DAY, first: 451 });
  for (let day = 0; day < 4; day += 1) {
    await site.pass(DAY);
    const before = (await site.sent()).length;
    await Promise.all([site.sweep(), site.sweep(), site.sweep()]);
    const today = (await site.sent()).slice(before).map((email) => email.split(":")[0]);
    expect(new Set(today).size).toBe(today.length);
  }
  const all = await site.sent();
  expect([all.length, new Set(all).size]).toEqual([1_800, 1_800]);
});

test("complaints about emails before and after a change pause the step together", async () => {
  const site = await seriesHarness();
  const { id, letter_id } = await site.addOn({ days: 1 });
  await joinPeople(10, { at: site.clock.now + 1 });
  await joinPeople(10, { at: site.clock.now + DAY, first: 11 });
  await site.pass(DAY);
  await site.sweep();
  await site.change(id, { body: "Changed." });
  await site.pass(DAY);
  await site.sweep();
  const complainOf = async (letterId: number | null, entryId: number) => {
    const { key } = await site.letter(letterId ?? 0);
    const recipient = `person${entryId}@example.com`;
    const event = { id: `event-${entryId}`, kind: "complaint", about: { letter: key, entryId }, recipient } as const;
    await applyProviderEvent(site.deps, event);
  };
  await complainOf(letter_id, 1);
  await complainOf((await site.find(id)).letter_id, 11);
  expect((await readSeriesStats(site.db)).get(id)).toMatchObject({ complained: 2, pause: null });
  await complainOf(letter_id, 2);
  expect((await readSeriesStats(site.db)).get(id)).toMatchObject({ complained: 3, pause: { reason: "complaints" } });
  expect((await site.letter(letter_id ?? 0)).state).toBe("finished");
});

test("what is left over at midnight waits for the hour", async () => {
  const site = await seriesHarness({ perHour: 20 });
  await site.addOn({ days: 1 });
  await joinPeople(240, { at: site.clock.now + 1 });
  await site.pass(9 * HOUR);
  const counts: number[] = [];
  // From 22:00, before the day has come, to noon two days later.
  for (let hour = 0; hour < 39; hour += 1) {
    await site.pass(HOUR);
    await site.sweep();
    counts.push((await site.sent()).length);
  }
  const at = (day: number, hour: number) => counts[day * 24 + hour - 22] ?? Number.NaN;
  expect(at(1, 8)).toBe(0);
  expect(at(1, 9)).toBe(15);
  expect(at(1, 23)).toBe(225);
  expect(at(2, 8)).toBe(225);
  expect(at(2, 9)).toBe(240);
});

test("a step comes before a letter that is being sent", async () => {
  const site = await seriesHarness({ perHour: 200 });
  await joinPeople(300, { at: site.clock.now - 1 });
  const { id } = await site.addOn({ days: 1 });
  await joinPeople(20, { at: site.clock.now + 1, first: 301 });
  await site.start();
  await site.sweep();
  const before = (await site.sent()).length;
  expect(before).toBe(100);
  await site.pass(DAY);
  await site.sweep();
  expect((await site.sent()).slice(before).map((email) => email.split(": ")[1])).toEqual([
    ...Array.from({ length: 20 }, () => "After 1 days"),
    ...Array.from({ length: 100 }, () => "We open on Friday"),
  ]);
  expect((await readSeriesStats(site.db)).get(id)).toMatchObject({ sent: 20 });
});

test("greetings have the answers of the first attempt, also when they change before the next one", async () => {
  const site = await seriesHarness();
  await site.addOn({ days: 1, body: "Hello {{role|friend}}." });
  await joinPeople(3, { at: site.clock.now + 1 });
  const attempts: string[][] = [];
  const { batch, ...mailer } = site.deps.mailer;
  const recording = {
    ...mailer,
    batch: async (...[messages, key]: Parameters<NonNullable<typeof batch>>) => {
      attempts.push(messages.map(({ text }) => /Hello [^.]*/.exec(text)?.[0] ?? ""));
      if (batch === undefined) throw new Error("This mailer sends no batches");
      return batch(messages, key);
    },
  };
  await site.resend.fail("accepted-without-response");
  await site.pass(DAY);
  await site.sweep({ mailer: recording });
  await env.DB.exec(`UPDATE waitlist_emails SET answers = '{"role":"stallholder"}'`);
  await site.pass(10 * MINUTE);
  await site.sweep({ mailer: recording });
  expect(attempts).toHaveLength(2);
  expect(attempts[0]).toEqual(["Hello friend", expect.stringMatching(/^Hello .*host/i), "Hello friend"]);
  expect(attempts[1]).toEqual(attempts[0]);
  expect((await recipients()).map(({ state }) => state)).toEqual(["sent", "sent", "sent"]);
  expect((await env.DB.prepare("SELECT * FROM letter_greetings").all()).results).toEqual([]);
});

test("whoever had a later follow-up is not offered as someone who joined before", async () => {
  const site = await seriesHarness();
  await site.addOn({ days: 4 });
  await joinPeople(3, { at: site.clock.now + 1 });
  await site.days(4);
  await joinPeople(2, { at: site.clock.now - 1, first: 4 });
  const step = await site.addOn({ days: 2 });
  expect(await countJoined(site.audienceDeps, step, 5)).toBe(2);
});
