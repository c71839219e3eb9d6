import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { dueBatches } from "#app/features/letters/send/due-batches.server.ts";
import { countStepCandidates } from "#app/features/letters/series/series-stats.server.ts";
import { deleteStep, extendBack } from "#app/features/letters/series/steps.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { MINUTE, recipients } from "#tests/features/letters/pool/letter-harness.ts";
import { begunSeries, DAY } from "#tests/features/letters/pool/series-harness.ts";
import { sendAll } from "#tests/support/pool/emails.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

test("whoever leaves is counted for the email that came last, not for the letter that was made last", async () => {
  const site = await begunSeries([{ days: 1 }, { days: 2 }], 2);
  const { first, second } = site;
  await site.change(first.id, { body: "Changed." });
  await site.days(3);
  await unsubscribeEntry(site.db, 1, site.clock.now);
  expect(await site.stats(first.id)).toMatchObject({ unsubscribed: 0 });
  expect(await site.stats(second.id)).toMatchObject({ unsubscribed: 1 });
  const letter = await site.start();
  await site.sweep();
  await unsubscribeEntry(site.db, 2, site.clock.now + 1);
  const rows = await recipients();
  expect(rows.find(({ letter_id }) => letter_id === letter)?.unsubscribed_at).toBe(site.clock.now + 1);
});

test("with the feature switched off, a batch that waits is not sent", async () => {
  const site = await begunSeries([{ days: 1 }], 1);
  await site.resend.fail("broken");
  await site.pass(DAY);
  await site.sweep();
  await site.pass(10 * MINUTE);
  await sendAll(site.deps, undefined, dueBatches);
  expect(await site.sent()).toEqual([]);
});

test("an email that arrived without a response is not counted as skipped after the launch", async () => {
  const site = await begunSeries([{ days: 1 }], 1);
  await site.resend.fail("accepted-without-response");
  await site.pass(DAY);
  await site.sweep();
  expect(await site.sent()).toHaveLength(1);
  site.launch("https://app.example.com/");
  await site.days(2);
  expect(await site.stats(site.id)).toMatchObject({ skipped: 0, unknown: 1, pending: 0 });
});

test("nobody is sent more than five, although steps are deleted and others added", async () => {
  const days = [1, 2, 3, 4, 5].map((days) => ({ days }));
  const site = await begunSeries(days, 1);
  await site.days(5);
  expect(await site.sent()).toHaveLength(5);
  await deleteStep(site.stepDeps, site.first);
  const { id } = await site.addOn({ days: 6 });
  await extendBack(site.stepDeps, await site.find(id), 9);
  await site.days(4);
  expect(await site.sent()).toHaveLength(5);
  expect(await site.stats(id)).toMatchObject({ reasons: [{ reason: "enough", people: 1 }] });
});

test("three runs at once send each step once, and never two on one day", async () => {
  const site = await begunSeries([{ days: 1 }, { days: 2 }], 450);
  await site.join(450, DAY);
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

test("greetings have the answers of the first attempt, also when they change before the next one", async () => {
  const site = await begunSeries([{ days: 1, body: "Hello {{role|friend}}." }], 3);
  const attempts: string[][] = [];
  const mailer = site.beforeRequests(async (messages) => {
    attempts.push(messages.map(({ text }) => /Hello [^.]*/.exec(text)?.[0] ?? ""));
  });
  await site.resend.fail("accepted-without-response");
  await site.pass(DAY);
  await site.sweep({ mailer });
  await env.DB.exec(`UPDATE waitlist_emails SET answers = '{"role":"stallholder"}'`);
  await site.pass(10 * MINUTE);
  await site.sweep({ mailer });
  expect(attempts).toHaveLength(2);
  expect(attempts[0]).toEqual(["Hello friend", expect.stringMatching(/^Hello .*host/i), "Hello friend"]);
  expect(attempts[1]).toEqual(attempts[0]);
  expect((await recipients()).map(({ state }) => state)).toEqual(["sent", "sent", "sent"]);
  expect(await rows("letter_greetings")).toEqual([]);
});

test("whoever had a later follow-up is not offered as someone who joined before", async () => {
  const site = await begunSeries([{ days: 4 }], 3);
  await site.days(4);
  await site.join(2, -1);
  const step = await site.addOn({ days: 2 });
  expect(await countStepCandidates(site.audienceDeps, step, 5)).toBe(2);
});
