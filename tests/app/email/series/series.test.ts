import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { countJoined, readSeriesStats } from "#app/email/series/series-stats.server.ts";
import { deleteStep, extendBack, resumeStep, setHour } from "#app/email/series/steps.server.ts";
import { keyedHash } from "#app/server/address-hash.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { eraseEntry } from "#app/waitlist/erase-entries.server.ts";
import { apiError } from "#scripts/lib/resend-rules.ts";
import { HOUR, MINUTE, recipients } from "#tests/support/pool/letter-harness.ts";
import { DAY, joinPeople, seriesHarness } from "#tests/support/pool/series-harness.ts";
import { execute, freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

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
  await site.days(10);
  expect(await site.sent()).toEqual([
    ...first,
    "person1@example.com: After 5 days",
    "person2@example.com: After 5 days",
  ]);
});

test("who joined before a step was switched on, or under the earlier wording, is not sent it", async () => {
  const site = await seriesHarness();
  await joinPeople(1, { at: site.clock.now - 1 });
  await joinPeople(2, { at: site.clock.now + 1, first: 2 });
  await env.DB.exec("UPDATE waitlist_emails SET consent_version = '2026-11' WHERE id = 2");
  await env.DB.exec("UPDATE waitlist_emails SET consent_version = NULL WHERE id = 1");
  await site.addOn({ days: 2 });
  await env.DB.exec("UPDATE waitlist_emails SET consent_version = '2026-11-follow-ups' WHERE id = 1");
  await site.days(10);
  expect(await site.sent()).toEqual(["person3@example.com: After 2 days"]);
});

test("it can be extended to those who joined in the last days, whose number is counted before", async () => {
  const site = await seriesHarness();
  await joinPeople(2, { at: site.clock.now - 8 * DAY });
  await joinPeople(3, { at: site.clock.now - 4 * DAY, first: 3 });
  await joinPeople(1, { at: site.clock.now - 1, first: 6 });
  await unsubscribeEntry(site.db, 4, site.clock.now);
  const { id } = await site.addOn({ days: 3 });
  await site.sweep();
  expect(await site.sent()).toEqual([]);
  const step = await site.find(id);
  const count = (days: number) => countJoined(site.audienceDeps, step, days);
  expect([await count(1), await count(6), await count(9)]).toEqual([1, 3, 5]);
  await extendBack(site.stepDeps, await site.find(id), 6);
  await site.sweep();
  expect(await site.sent()).toEqual(["person3@example.com: After 3 days", "person5@example.com: After 3 days"]);
  await site.days(10);
  expect(await site.sent()).toHaveLength(3);
});

test("after confirming, where addresses are confirmed", async () => {
  const site = await seriesHarness();
  await site.addOn({ days: 2 });
  await joinPeople(2, { at: site.clock.now + 1 });
  const { now } = site.clock;
  await env.DB.prepare("UPDATE waitlist_emails SET confirm_by = ?, confirmed_at = iif(id = 1, ?, NULL)")
    .bind(now + 30 * DAY, now + 20 * DAY)
    .run();
  await site.days(21);
  expect(await site.sent()).toEqual([]);
  await site.days(5);
  expect(await site.sent()).toEqual(["person1@example.com: After 2 days"]);
});

test("a saved view limits a step to those who are in it on the day", async () => {
  const site = await seriesHarness();
  await site.addOn({ days: 1, audience: { name: "From the shop", filter: { source: "shop" } } });
  await joinPeople(2, { at: site.clock.now + 1 });
  await env.DB.exec("UPDATE waitlist_emails SET source = 'shop' WHERE id = 2");
  await site.days(6);
  expect(await site.sent()).toEqual(["person2@example.com: After 1 days"]);
});

test("unsubscribing, a suppression, an erasure and an invitation stop it, before the day and on it", async () => {
  const site = await seriesHarness();
  await site.addOn({ days: 2 });
  await site.addOn({ days: 4 });
  await joinPeople(9, { at: site.clock.now + 1 });
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
  expect(await site.sent()).toEqual(["person9@example.com: After 2 days", "person9@example.com: After 4 days"]);
  const reasons = (await recipients()).map(({ state, reason }) => `${state} ${reason}`);
  expect(reasons.toSorted()).toEqual([
    "sent null",
    "sent null",
    "skipped erased",
    "skipped invited",
    "skipped suppressed",
    "skipped unsubscribed",
  ]);
});

test("the launch stops it, also for those whose batch waits", async () => {
  const site = await seriesHarness();
  await site.addOn({ days: 1 });
  await joinPeople(2, { at: site.clock.now + 1 });
  await site.resend.fail(apiError(429, "rate_limit_exceeded", "Too many requests.", { "retry-after": "60" }));
  await site.pass(DAY);
  await site.sweep();
  await joinPeople(1, { at: site.clock.now, first: 3 });
  site.launch("https://app.example.com/");
  await site.days(5);
  expect(await site.sent()).toEqual([]);
  expect((await recipients()).map(({ reason }) => reason)).toEqual(["launched", "launched"]);
});

test("a step that is more than three days late is skipped, and counted as such", async () => {
  const site = await seriesHarness();
  const { id } = await site.addOn({ days: 1 });
  await joinPeople(2, { at: site.clock.now + 1 });
  await joinPeople(1, { at: site.clock.now + 2 * DAY, first: 3 });
  // The cron job does not run for six days: two people are four days late, the other two.
  await site.pass(6 * DAY);
  await site.sweep();
  expect(await site.sent()).toEqual(["person3@example.com: After 1 days"]);
  const stats = (await readSeriesStats(site.db)).get(id);
  expect(stats).toMatchObject({ sent: 1, skipped: 2, reasons: [{ state: "skipped", reason: "late", people: 2 }] });
});

test("of two steps that are due on one day, the second follows on the next day", async () => {
  const site = await seriesHarness();
  await site.addOn({ days: 3 });
  await site.addOn({ days: 4 });
  await joinPeople(1, { at: site.clock.now + 1 });
  await site.pass(4 * DAY);
  await site.sweep();
  expect(await site.sent()).toEqual(["person1@example.com: After 3 days"]);
  await site.pass(10 * HOUR);
  await site.sweep();
  expect(await site.sent()).toHaveLength(1);
  // 26 November, 09:00.
  await site.pass(11 * HOUR);
  await site.sweep();
  expect(await site.sent()).toEqual(["person1@example.com: After 3 days", "person1@example.com: After 4 days"]);
});

test("switched off and on, it goes on with those who are not too late, and writes to nobody twice", async () => {
  const site = await seriesHarness();
  const { id } = await site.addOn({ days: 2 });
  await joinPeople(1, { at: site.clock.now + 1 });
  await joinPeople(1, { at: site.clock.now + DAY, first: 2 });
  await joinPeople(1, { at: site.clock.now + 4 * DAY, first: 3 });
  await site.pass(2 * DAY);
  await site.sweep();
  await site.off(id);
  await site.days(3);
  expect(await site.sent()).toEqual(["person1@example.com: After 2 days"]);
  await site.on(id);
  await site.days(8);
  expect(await site.sent()).toEqual([1, 2, 3].map((number) => `person${number}@example.com: After 2 days`));
});

test("changed in the middle: what was tried keeps its words, everybody else gets the new ones", async () => {
  const site = await seriesHarness();
  const { id } = await site.addOn({ days: 1, subject: "Old", body: "Hello {{role|friend}}." });
  await joinPeople(900, { at: site.clock.now + 1 });
  await site.pass(DAY);
  // Enough to begin four batches of 100, of which one gets no response.
  await site.resend.fail("accepted-without-response");
  await site.sweep({ subrequests: 60 });
  const before = await site.sent();
  expect(before.length).toBeGreaterThanOrEqual(100);
  expect(before.length).toBeLessThan(900);
  await site.change(id, { subject: "New", body: "Good morning." });
  await site.days(1 / 24, 2 * MINUTE);
  await site.days(2);
  const sent = await site.sent();
  expect(new Set(sent.map((email) => email.split(":")[0])).size).toBe(900);
  expect(sent).toHaveLength(900);
  expect(sent.slice(before.length).filter((email) => email.endsWith("Old"))).toEqual([]);
  expect((await readSeriesStats(site.db)).get(id)).toMatchObject({ sent: 900, pending: 0, unknown: 0 });
});

test("a later hour, other days: nobody is forgotten", async () => {
  const site = await seriesHarness();
  const { id } = await site.addOn({ days: 5 });
  await joinPeople(3, { at: site.clock.now + 1 });
  await joinPeople(1, { at: site.clock.now + 3 * DAY, first: 4 });
  await site.days(4);
  await site.change(id, { days: 2 });
  await setHour(site.db, 18);
  await site.pass(DAY - 18 * HOUR);
  await site.days(6);
  expect(await site.sent()).toEqual([1, 2, 3, 4].map((number) => `person${number}@example.com: After 5 days`));
});

test("too many complaints pause the series until the owner resumes it", async () => {
  const site = await seriesHarness();
  const { id, letter_id } = await site.addOn({ days: 1 });
  await site.addOn({ days: 2 });
  await joinPeople(1, { at: site.clock.now + 1 });
  await site.complain(letter_id);
  await site.days(2);
  expect(await site.sent()).toEqual([]);
  expect((await readSeriesStats(site.db)).get(id)?.pause).toEqual({ reason: "complaints", until: null });
  expect(await resumeStep(site.db, id)).toBe(1);
  await site.days(4);
  expect(await site.sent()).toEqual(["person1@example.com: After 1 days", "person1@example.com: After 2 days"]);
});

test("while one step waits for the owner, nothing of the others is sent, whether it is written or not", async () => {
  const site = await seriesHarness();
  const first = await site.addOn({ days: 1 });
  const second = await site.addOn({ days: 2 });
  for (const person of [1, 2]) {
    await joinPeople(1, { at: site.clock.now + 1, first: person });
    await site.pass(DAY);
    // On the second day both steps get no response; the first one ends the run.
    if (person === 2) await site.resend.fail("broken", "broken");
    for (let run = 0; run < 2; run += 1) await site.sweep();
  }
  await site.complain(first.letter_id);
  await site.pass(12 * HOUR);
  await site.sweep();
  const sent = ["person1@example.com: After 1 days"];
  expect(await site.sent()).toEqual(sent);
  expect((await readSeriesStats(site.db)).get(second.id)).toMatchObject({ pause: null, pending: 1 });
  await resumeStep(site.db, first.id);
  await site.days(2);
  const rest = [
    "person1@example.com: After 2 days",
    "person2@example.com: After 1 days",
    "person2@example.com: After 2 days",
  ];
  expect((await site.sent()).toSorted()).toEqual([...sent, ...rest]);
});

test("after its first 1,000 emails a step pauses for half an hour", async () => {
  const site = await seriesHarness();
  await site.addOn({ days: 1 });
  await joinPeople(1_300, { at: site.clock.now + 1 });
  await site.pass(DAY);
  await site.sweep();
  expect(await site.sent()).toHaveLength(1_000);
  await site.pass(29 * MINUTE);
  await site.sweep();
  expect(await site.sent()).toHaveLength(1_000);
  await site.pass(2 * MINUTE);
  await site.sweep();
  expect(await site.sent()).toHaveLength(1_300);
});

test("the send limit of the hour holds for all steps together", async () => {
  const site = await seriesHarness({ perHour: 200 });
  for (const days of [1, 2, 3]) await site.addOn({ days });
  for (const days of [1, 2, 3]) {
    await joinPeople(100, { at: site.clock.now + 1 - (days - 3) * DAY, first: 1 + (days - 1) * 100 });
  }
  await site.pass(3 * DAY);
  await site.sweep();
  await site.pass(MINUTE);
  await site.sweep();
  // Of three quarters of 200, as full batches.
  expect(await site.sent()).toHaveLength(100);
});

test("where letters cannot be sent, a step pauses and says why", async () => {
  const site = await seriesHarness();
  const { id } = await site.addOn({ days: 1 });
  await joinPeople(1, { at: site.clock.now + 1 });
  await site.pass(DAY);
  const { batch: _, ...mailer } = site.deps.mailer;
  await site.sweep({ mailer });
  expect((await readSeriesStats(site.db)).get(id)?.pause).toEqual({ reason: "letters-refused", until: null });
});

test("a fault of the provider pauses it, and those who are not too late follow when it is mended", async () => {
  const site = await seriesHarness();
  const { id } = await site.addOn({ days: 1 });
  await joinPeople(2, { at: site.clock.now + 1 });
  await site.pass(DAY);
  await site.resend.fail(apiError(403, "invalid_api_key", "API key is invalid."));
  await site.sweep();
  expect((await readSeriesStats(site.db)).get(id)?.pause).toEqual({ reason: "wrong-key", until: null });
  await site.pass(HOUR);
  await resumeStep(site.db, id);
  await env.DB.exec("DELETE FROM email_pauses");
  await site.sweep();
  expect(await site.sent()).toHaveLength(2);
});

test("a deleted step is sent to nobody any more, and the others go on", async () => {
  const site = await seriesHarness();
  const first = await site.addOn({ days: 1 });
  await site.addOn({ days: 2 });
  await joinPeople(1, { at: site.clock.now + 1 });
  await site.pass(DAY);
  await site.sweep();
  await deleteStep(site.stepDeps, first);
  const again = await site.addOn({ days: 1 });
  expect(again.id).not.toBe(first.id);
  await site.days(4);
  expect(await site.sent()).toEqual(["person1@example.com: After 1 days", "person1@example.com: After 2 days"]);
});
