import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import * as switches from "#app/switches.ts";
import { followUpVersions, wordingFor } from "#app/waitlist/consent-wording.ts";
import { exportOwnEntry, unsubscribeByToken } from "#app/waitlist/my-data/own-entry.server.ts";
import { readStoredData } from "#app/waitlist/my-data/stored-data.server.ts";
import { dataToken, unsubscribeToken } from "#tests/support/pool/built.ts";
import { DAY, joinPeople, seriesHarness } from "#tests/support/pool/series-harness.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

/* What follow-ups are to the person who gets them. */

freshDatabaseForEachTest();

/** One person who was sent the first of two follow-ups, with what reads and changes their entry. */
async function begun() {
  const site = await seriesHarness();
  await site.addOn({ days: 1, subject: "A question" });
  await site.addOn({ days: 2, subject: "What we build" });
  await joinPeople(1, { at: site.clock.now });
  await site.pass(DAY);
  await site.sweep();
  const { db, clock } = site;
  const own = { db, linkSecrets: [env.LINK_SECRET], hashKey: env.HASH_KEY, mustConfirm: false, now: () => clock.now };
  return { ...site, own, token: await dataToken(1, undefined, clock.now) };
}

test("the wording that the form shows allows follow-ups while one is switched on", () => {
  expect(followUpVersions.includes(wordingFor(true).version)).toBe(switches.letters && switches.series);
  expect(followUpVersions).not.toContain(wordingFor(false).version);
});

test("the file of someone's data names a follow-up as one", async () => {
  const { own, token } = await begun();
  expect(await exportOwnEntry(own, token)).toMatchObject({
    letters: [
      { subject: "A question", state: "sent", reason: null, sent_at: "2026-11-22T12:00:00.000Z", is_follow_up: true },
    ],
  });
});

test("someone's data names a follow-up that they were left out of, with the reason", async () => {
  const { own, pass, sweep, clock } = await begun();
  await pass(6 * DAY);
  await sweep();
  const { letters } = (await exportOwnEntry(own, await dataToken(1, undefined, clock.now))) as { letters: unknown[] };
  expect(letters[1]).toEqual({
    subject: "What we build",
    state: "skipped",
    reason: "late",
    sent_at: null,
    is_follow_up: true,
  });
  const stored = await readStoredData(own, await dataToken(1, undefined, clock.now));
  expect(stored?.emails.map(({ name, state }) => `${name}: ${state}`)).toContainEqual(
    expect.stringMatching(/^Follow-up “What we build”: Left out /),
  );
});

test("the link that unsubscribes, in a follow-up, stops all that would follow", async () => {
  const { own, pass, sweep, sent } = await begun();
  expect(await unsubscribeByToken(own, await unsubscribeToken(1))).toMatchObject({ kind: "done" });
  for (let day = 0; day < 5; day += 1) {
    await pass(DAY);
    await sweep();
  }
  expect(await sent()).toEqual(["person1@example.com: A question"]);
});
