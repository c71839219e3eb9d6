import { env } from "cloudflare:test";
import { beforeEach, expect, test } from "vitest";
import { applyProviderEvent, type ProviderEvent } from "#app/email/provider-events.server.ts";
import { resumeLetter } from "#app/features/letters/send/letter-states.server.ts";
import { readLetterStats } from "#app/features/letters/send/letter-stats.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import {
  addPeople,
  HOUR,
  type LetterHarness,
  letterHarness,
  recipients,
} from "#tests/features/letters/pool/letter-harness.ts";
import { bounce, postWebhook, resendEvent } from "#tests/support/pool/resend-webhook.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

let harness: LetterHarness;
let id: number;

/** Sends a letter to some people, pausing before the rest. */
async function sendTo(people: number) {
  await addPeople(people);
  id = await harness.start();
  await harness.sweep();
}

beforeEach(async () => {
  harness = await letterHarness();
});

async function report(kind: ProviderEvent["kind"], entryId: number, event = `${kind}-${entryId}`) {
  const { key } = await harness.letter(id);
  const about = { letter: key, entryId };
  const recipient = `person${entryId}@example.com`;
  await applyProviderEvent(harness.deps, { id: event, kind, about, recipient });
}

const stats = async () => readLetterStats(harness.db, await harness.letter(id), "UTC");

test("a complaint and a bounce are counted once each, and suppress the address", async () => {
  await sendTo(3);
  await report("complaint", 1);
  await report("complaint", 1);
  await report("hard-bounce", 2);
  await report("hard-bounce", 2, "another-event");
  expect(await stats()).toMatchObject({ sent: 3, complained: 1, bounced: 1, unsubscribed: 0 });
  expect(await rows("suppressions")).toMatchObject([{ reason: "complaint" }, { reason: "hard-bounce" }]);
  expect(await rows("waitlist_emails")).toMatchObject([
    { status: "unsubscribed", unsubscribe_reason: "complaint" },
    { status: "active" },
    { status: "active" },
  ]);
});

test("a bounce for now is counted apart from one for good, and becomes one when the next event says so", async () => {
  await sendTo(3);
  await report("soft-bounce", 1);
  await report("soft-bounce", 2);
  await report("hard-bounce", 3);
  await report("soft-bounce", 3);
  expect(await stats()).toMatchObject({ bounced: 1, bouncedSoftly: 2 });
  await report("hard-bounce", 2);
  expect(await stats()).toMatchObject({
    bounced: 2,
    bouncedSoftly: 1,
    days: [{ sent: 3, bounced: 2, bouncedSoftly: 1 }],
  });
});

test("a webhook finds the recipient by the tags of the email", async () => {
  await sendTo(2);
  const { tags, to } = (await harness.resend.state()).accepted[1] ?? { tags: {}, to: "" };
  const event = resendEvent("email.bounced", "", to, { ...bounce("Permanent"), tags });
  expect((await postWebhook(event)).status).toBe(200);
  expect((await recipients()).map(({ bounced_at }) => bounced_at !== null)).toEqual([false, true]);
});

test("an event of an erased recipient, or of another site's letter, changes no letter", async () => {
  await sendTo(2);
  await env.DB.exec("DELETE FROM waitlist_emails WHERE id = 1");
  await report("hard-bounce", 1);
  const about = { letter: "0".repeat(32), entryId: 2 };
  await applyProviderEvent(harness.deps, { id: "x", kind: "complaint", about, recipient: "someone@example.com" });
  expect(await stats()).toMatchObject({ complained: 0, bounced: 0 });
});

test("it pauses at three complaints over 0.08 %, and not at two", async () => {
  await sendTo(1_100);
  expect((await harness.letter(id)).pause?.reason).toBe("first-recipients");
  await report("complaint", 1);
  await report("complaint", 2);
  expect((await harness.letter(id)).pause?.reason).toBe("first-recipients");
  await report("complaint", 3);
  expect(await harness.letter(id)).toMatchObject({ state: "sending", pause: { reason: "complaints", until: null } });
  harness.clock.now += HOUR;
  await harness.sweep();
  expect(await harness.accepted()).toHaveLength(1_000);
  // The owner looked into it and goes on; one more complaint pauses it again.
  expect(await resumeLetter(harness.db, id)).toBe(true);
  await report("complaint", 4);
  expect((await harness.letter(id)).pause?.reason).toBe("complaints");
});

test("three complaints among many are no reason to pause", async () => {
  await sendTo(1_100);
  await env.DB.exec("UPDATE letter_batches SET sent = 4000 WHERE number = 0");
  for (const person of [1, 2, 3]) await report("complaint", person);
  expect((await harness.letter(id)).pause?.reason).toBe("first-recipients");
});

test("it pauses at fifteen bounces if they are over 3 %", async () => {
  await sendTo(1_100);
  for (let person = 1; person <= 30; person += 1) await report(person % 2 ? "hard-bounce" : "soft-bounce", person);
  expect((await harness.letter(id)).pause?.reason).toBe("first-recipients");
  await report("hard-bounce", 31);
  expect((await harness.letter(id)).pause?.reason).toBe("bounces");
});

test("someone who leaves within two weeks of a letter is counted with the last one", async () => {
  await sendTo(3);
  const first = id;
  harness.clock.now += HOUR;
  id = await harness.start({ subject: "Another letter" });
  await harness.sweep();
  await unsubscribeEntry(harness.db, 1, harness.clock.now);
  await unsubscribeEntry(harness.db, 1, harness.clock.now);
  await unsubscribeEntry(harness.db, 2, harness.clock.now + 15 * 24 * HOUR);
  expect((await recipients()).filter(({ unsubscribed_at }) => unsubscribed_at !== null)).toMatchObject([
    { letter_id: id, entry_id: 1 },
  ]);
  expect((await stats()).days).toEqual([
    { date: "2026-11-21", sent: 3, bounced: 0, bouncedSoftly: 0, complained: 0, unsubscribed: 1 },
  ]);
  expect(first).toBeLessThan(id);
});
