import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { rejoinEntry, unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { wordingTexts } from "#app/waitlist/sign-up/consent-wording.ts";
import { db, freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const NOON = Date.UTC(2026, 10, 21, 12);
const join = (now: number, consentVersion = "2026-11") =>
  addEntry(db, { email: "ada@example.com", source: "ways_to_help_section", columns: {}, consentVersion, now });
const entry = async () => (await rows("waitlist_emails"))[0];

test("entries keep what their people agreed to: wordings that were published are still the same", () => {
  expect(wordingTexts).toMatchObject({
    "2026-11": "We send one welcome email, then only news of the launch, at most once a month.",
    "2026-11-follow-ups": "We send a welcome email and up to five more, then only launch news, at most once a month.",
  });
});

test("leaving records when and by whom, and by the person once they leave too; the consent given before stays on record", async () => {
  await join(NOON);
  for (const [reason, time, recorded] of [
    ["owner", NOON + 1, ["owner", NOON + 1]],
    ["owner", NOON + 2, ["owner", NOON + 1]],
    ["own-choice", NOON + 3, ["own-choice", NOON + 3]],
    ["owner", NOON + 4, ["own-choice", NOON + 3]],
    ["own-choice", NOON + 5, ["own-choice", NOON + 3]],
  ] as const) {
    await unsubscribeEntry(db, 1, time, reason);
    const { unsubscribe_reason, unsubscribed_at } = (await entry()) ?? {};
    expect([unsubscribe_reason, unsubscribed_at]).toEqual(recorded);
  }
  expect(await entry()).toMatchObject({ consent_at: NOON });
});

test("rejoining is a new consent, to the wording that was shown, and confirms the address", async () => {
  await join(NOON);
  await env.DB.exec("UPDATE waitlist_emails SET consent_version = '2025-01'");
  await unsubscribeEntry(db, 1, NOON + 1);
  expect(await entry()).toMatchObject({ consent_version: "2025-01", unsubscribe_reason: "own-choice" });
  await rejoinEntry(db, 1, NOON + 2, { consentVersion: "2026-11" });
  expect(await entry()).toMatchObject({
    consent_version: "2026-11",
    consent_at: NOON + 2,
    confirmed_at: NOON + 2,
    unsubscribed_at: null,
    unsubscribe_reason: null,
  });
  await unsubscribeEntry(db, 1, NOON + 3);
  await rejoinEntry(db, 1, NOON + 4);
  expect(await entry()).toMatchObject({ consent_version: null, consent_at: NOON + 4, confirmed_at: NOON + 2 });
});
