import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { countStepCandidates } from "#app/features/letters/series/series-stats.server.ts";
import { deleteStep, extendBack, resumeStep, setHour } from "#app/features/letters/series/steps.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { rejoinEntry, unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { withFollowUps } from "#app/waitlist/sign-up/consent-wording.ts";
import { apiError } from "#scripts/lib/resend-rules.ts";
import { HOUR, MINUTE, recipients } from "#tests/features/letters/pool/letter-harness.ts";
import { begunSeries, DAY, seriesHarness } from "#tests/features/letters/pool/series-harness.ts";
import { execute, freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

/** The emails of a step to people with these numbers. */
const after = (days: number, ...people: number[]) => people.map((n) => `person${n}@example.com: After ${days} days`);

test("each person is sent each step once, so many days after joining, at the hour", async () => {
  const site = await begunSeries([{ days: 3 }, { days: 5 }]);
  await site.pass(MINUTE);
  await site.join(2, 0);
  await site.pass(2 * DAY);
  expect(await site.sweep()).toBe(true);
  expect(await site.sent()).toEqual([]);
  expect(await site.sweep()).toBe(false);
  // 24 November, 08:59.
  await site.pass(20 * HOUR + 58 * MINUTE);
  expect(await site.sweep()).toBe(false);
  await site.pass(MINUTE);
  await site.sweep();
  expect(await site.sent()).toEqual(after(3, 1, 2));
  await site.days(10, 6 * HOUR);
  expect(await site.sent()).toEqual([...after(3, 1, 2), ...after(5, 1, 2)]);
});

test("a step is for those who agreed to follow-ups, from when they joined or confirmed after it was on, also if they rejoined, and are in its view", async () => {
  const site = await seriesHarness();
  // Before it is on: 1, and 2 who rejoins. Later 3 under the earlier wording; 4 who confirms in time, 5 who never does; 6 who rejoins.
  await site.join(1, -1);
  await site.join(1, -20 * DAY);
  await site.addOn({ days: 2 });
  await site.addOn({ days: 3, audience: { name: "From the shop", filter: { source: "shop" } } });
  await site.join(6);
  const set = (columns: string, id: number) => env.DB.exec(`UPDATE waitlist_emails SET ${columns} WHERE id = ${id}`);
  const { now } = site.clock;
  await set("consent_version = '2026-11'", 3);
  await set(`confirm_by = ${now + 30 * DAY}, confirmed_at = ${now + 20 * DAY}`, 4);
  await set(`confirm_by = ${now + 30 * DAY}`, 5);
  await set("source = 'shop'", 7);
  await site.pass(DAY);
  for (const id of [2, 6]) {
    await unsubscribeEntry(site.db, id, site.clock.now);
    await rejoinEntry(site.db, id, site.clock.now + 1, { consentVersion: withFollowUps.version });
  }
  await site.days(20, 6 * HOUR);
  expect(await site.sent()).toEqual([...after(2, 6, 7, 8), ...after(3, 7)]);
  await site.days(5);
  expect((await site.sent()).slice(4)).toEqual(after(2, 4));
});

test("it can be extended to those who joined in the last days, whose number is counted before", async () => {
  const site = await seriesHarness();
  await site.join(2, -8 * DAY);
  await site.join(3, -4 * DAY);
  await site.join(1, -1);
  await unsubscribeEntry(site.db, 4, site.clock.now);
  const { id } = await site.addOn({ days: 3 });
  await site.sweep();
  expect(await site.sent()).toEqual([]);
  const step = await site.find(id);
  const count = (days: number) => countStepCandidates(site.audienceDeps, step, days);
  expect([await count(1), await count(6), await count(9)]).toEqual([1, 3, 5]);
  await extendBack(site.stepDeps, step, 6);
  await site.sweep();
  expect(await site.sent()).toEqual(after(3, 3, 5));
  await site.days(10);
  expect(await site.sent()).toHaveLength(3);
});

test("unsubscribing, a suppression, an erasure and an invitation stop it, before the day and on it", async () => {
  const site = await begunSeries([{ days: 2 }, { days: 4 }], 9);
  const leave = async (first: number) => {
    await unsubscribeEntry(site.db, first, site.clock.now);
    await eraseEntry(site.db, first + 1, site.clock.now);
    await execute("UPDATE waitlist_emails SET invited_at = 1 WHERE id = ?", first + 2);
    const hash = await keyedHash("address:v1", `person${first + 3}@example.com`, env.HASH_KEY);
    await execute("INSERT INTO suppressions (address_hash, reason, created_at) VALUES (?, 'complaint', 1)", hash);
  };
  await leave(1);
  await site.days(1);
  // No response: their batch waits for another attempt.
  await site.resend.fail("broken");
  await site.pass(DAY);
  await site.sweep();
  await leave(5);
  await site.days(10);
  expect(await site.sent()).toEqual([...after(2, 9), ...after(4, 9)]);
  const skipped = ["erased", "invited", "suppressed", "unsubscribed"].map((reason) => `skipped ${reason}`);
  const reasons = (await recipients()).map(({ state, reason }) => `${state} ${reason}`);
  expect(reasons.toSorted()).toEqual(["sent null", "sent null", ...skipped]);
});

test("the launch stops it, also for those whose batch waits", async () => {
  const site = await begunSeries([{ days: 1 }], 2);
  await site.resend.fail(apiError(429, "rate_limit_exceeded", "Too many requests.", { "retry-after": "60" }));
  await site.pass(DAY);
  await site.sweep();
  await site.join(1, 0);
  site.launch("https://app.example.com/");
  await site.days(5);
  expect(await site.sent()).toEqual([]);
  expect((await recipients()).map(({ reason }) => reason)).toEqual(["launched", "launched"]);
});

test("a step that is more than three days late is skipped, also where the provider refused it in time, and counted as such", async () => {
  const site = await begunSeries([{ days: 1 }], 2);
  await site.resend.fail(apiError(429, "daily_quota_exceeded", "You have reached your daily quota."));
  await site.pass(DAY);
  await site.sweep();
  await site.join(3, 0);
  await site.join(1, 2 * DAY);
  // The cron job does not run for six days.
  await site.pass(6 * DAY);
  await site.sweep();
  expect(await site.sent()).toEqual(after(1, 6));
  const reasons = [{ state: "skipped", reason: "late", people: 5 }];
  expect(await site.stats(site.id)).toMatchObject({ sent: 1, skipped: 5, reasons });
});

test("of two steps that are due on one day, the second follows on the next day", async () => {
  const site = await begunSeries([{ days: 3 }, { days: 4 }], 1);
  await site.pass(4 * DAY);
  await site.sweep();
  expect(await site.sent()).toEqual(after(3, 1));
  await site.pass(10 * HOUR);
  await site.sweep();
  expect(await site.sent()).toHaveLength(1);
  // 26 November, 09:00.
  await site.pass(11 * HOUR);
  await site.sweep();
  expect(await site.sent()).toEqual([...after(3, 1), ...after(4, 1)]);
});

test("switched off and on, it goes on with those who are not too late, and writes to nobody twice", async () => {
  const site = await begunSeries([{ days: 2 }], 1);
  await site.join(1, DAY);
  await site.join(1, 4 * DAY);
  await site.pass(2 * DAY);
  await site.sweep();
  await site.off(site.id);
  await site.days(3);
  expect(await site.sent()).toEqual(after(2, 1));
  await site.on(site.id);
  await site.days(8);
  expect(await site.sent()).toEqual(after(2, 1, 2, 3));
});

test("changed in the middle: what was tried keeps its words, everybody else gets the new ones", async () => {
  const site = await begunSeries([{ days: 1, subject: "Old", body: "Hello {{role|friend}}." }], 900);
  await site.pass(DAY);
  // Enough to begin four batches of 100, of which one gets no response.
  await site.resend.fail("accepted-without-response");
  await site.sweep({ subrequests: 60 });
  const before = await site.sent();
  expect(before.length).toBeGreaterThanOrEqual(100);
  expect(before.length).toBeLessThan(900);
  await site.change(site.id, { subject: "New", body: "Good morning." });
  await site.days(1 / 24, 2 * MINUTE);
  await site.days(2);
  const sent = await site.sent();
  expect(new Set(sent.map((email) => email.split(":")[0])).size).toBe(900);
  expect(sent).toHaveLength(900);
  expect(sent.slice(before.length).filter((email) => email.endsWith("Old"))).toEqual([]);
  expect(await site.stats(site.id)).toMatchObject({ sent: 900, pending: 0, unknown: 0 });
});

test("a later hour, other days: nobody is forgotten", async () => {
  const site = await begunSeries([{ days: 5 }], 3);
  await site.join(1, 3 * DAY);
  await site.days(4);
  await site.change(site.id, { days: 2 });
  await setHour(site.db, 18);
  await site.pass(DAY - 18 * HOUR);
  await site.days(6);
  expect(await site.sent()).toEqual(after(5, 1, 2, 3, 4));
});

test("while all follow-ups are paused, no day is planned; once resumed, it is made up for", async () => {
  const site = await seriesHarness();
  const { id, letter_id } = await site.addOn({ days: 1 });
  await site.addOn({ days: 2 });
  await site.join(1);
  await site.complain(letter_id);
  await site.days(2);
  expect(await recipients()).toEqual([]);
  expect(await resumeStep(site.db, id)).toBe(1);
  await site.days(4);
  expect(await site.sent()).toEqual(["person1@example.com: After 1 days", "person1@example.com: After 2 days"]);
});

test("too many complaints about one step: nothing that is written of the others is sent until the owner resumes it", async () => {
  const site = await begunSeries([{ days: 1 }, { days: 2 }]);
  const { first, second } = site;
  for (const person of [1, 2]) {
    await site.join(1);
    await site.pass(DAY);
    // On the second day both steps get no response; the first one ends the run.
    if (person === 2) await site.resend.fail("broken", "broken");
    for (let run = 0; run < 2; run += 1) await site.sweep();
  }
  await site.complain(first.letter_id);
  await site.pass(12 * HOUR);
  await site.sweep();
  expect(await site.sent()).toEqual(after(1, 1));
  expect((await site.stats(first.id))?.pause).toEqual({ reason: "complaints", until: null });
  expect(await site.stats(second.id)).toMatchObject({ pause: null, pending: 1 });
  expect(await resumeStep(site.db, first.id)).toBe(1);
  await site.days(2);
  expect((await site.sent()).toSorted()).toEqual([...after(1, 1), ...after(2, 1), ...after(1, 2), ...after(2, 2)]);
});

test("after its first 1,000 emails a step pauses for half an hour, which a change neither ends nor repeats", async () => {
  const site = await begunSeries([{ days: 1 }], 2_300);
  await site.pass(DAY);
  await site.sweep();
  expect(await site.sent()).toHaveLength(1_000);
  await site.change(site.id, { body: "Without the typo." });
  await site.pass(29 * MINUTE);
  await site.sweep();
  expect(await site.sent()).toHaveLength(1_000);
  await site.pass(2 * MINUTE);
  await site.sweep();
  expect(new Set(await site.sent()).size).toBe(2_300);
});

test("the send limit of the hour holds for all steps together", async () => {
  const site = await begunSeries([{ days: 1 }, { days: 2 }, { days: 3 }], 0, { perHour: 200 });
  for (const days of [1, 2, 3]) await site.join(100, 1 - (days - 3) * DAY);
  await site.pass(3 * DAY);
  await site.sweep();
  await site.pass(MINUTE);
  await site.sweep();
  // Of three quarters of 200, as full batches.
  expect(await site.sent()).toHaveLength(100);
});

test("where letters cannot be sent, and after a fault of the provider, it pauses and says why; those who are not too late follow", async () => {
  const site = await begunSeries([{ days: 1 }], 2);
  const pause = async () => (await site.stats(site.id))?.pause;
  await site.pass(DAY);
  const { batch: _, ...mailer } = site.deps.mailer;
  await site.sweep({ mailer });
  expect(await pause()).toEqual({ reason: "letters-refused", until: null });
  await resumeStep(site.db, site.id);
  await site.resend.fail(apiError(403, "invalid_api_key", "API key is invalid."));
  await site.sweep();
  expect(await pause()).toEqual({ reason: "wrong-key", until: null });
  await site.pass(HOUR);
  await resumeStep(site.db, site.id);
  await env.DB.exec("DELETE FROM email_pauses");
  await site.sweep();
  expect(await site.sent()).toHaveLength(2);
});

test("a deleted step is sent to nobody any more, and the others go on", async () => {
  const site = await begunSeries([{ days: 1 }, { days: 2 }], 1);
  await site.pass(DAY);
  await site.sweep();
  await deleteStep(site.stepDeps, site.first);
  const again = await site.addOn({ days: 1 });
  expect(again.id).not.toBe(site.id);
  await site.days(4);
  expect(await site.sent()).toEqual([...after(1, 1), ...after(2, 1)]);
});
