import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import * as switches from "#app/switches.ts";
import { exportOwnEntry, readStoredData } from "#app/waitlist/my-data/stored-data.server.ts";
import { followUpVersions, wordingFor } from "#app/waitlist/sign-up/consent-wording.ts";
import { begunSeries, DAY } from "#tests/features/letters/pool/series-harness.ts";
import { dataToken } from "#tests/support/pool/built.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

/* What follow-ups are to the person who gets them. */

freshDatabaseForEachTest();

test("the wording that the form shows allows follow-ups while one is switched on", () => {
  expect(followUpVersions.includes(wordingFor(true).version)).toBe(switches.letters && switches.series);
  expect(followUpVersions).not.toContain(wordingFor(false).version);
});

test("someone's data and its file name follow-ups as such, with the reason for one that they were left out of", async () => {
  const steps = [
    { days: 1, subject: "A question" },
    { days: 2, subject: "What we build" },
  ];
  const { db, clock, pass, sweep } = await begunSeries(steps, 1);
  // The second is more than three days late.
  for (const days of [1, 6]) {
    await pass(days * DAY);
    await sweep();
  }
  const own = {
    db,
    linkSecrets: [env.LINK_SECRET],
    hashKey: env.HASH_KEY,
    mustConfirm: false,
    entryHooks: {},
    now: () => clock.now,
  };
  const token = await dataToken(1, undefined, clock.now);
  const file = await exportOwnEntry(own, token);
  expect(file).toHaveProperty("letters", [
    { subject: "A question", state: "sent", reason: null, sent_at: "2026-11-22T12:00:00.000Z", is_follow_up: true },
    { subject: "What we build", state: "skipped", reason: "late", sent_at: null, is_follow_up: true },
  ]);
  const stored = await readStoredData(own, token);
  expect(stored?.emails.map(({ name, value }) => `${name}: ${value}`)).toContainEqual(
    expect.stringMatching(/^Follow-up “What we build”: Left out /),
  );
});
