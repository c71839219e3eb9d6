import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { eraseEntry } from "#app/waitlist/erase-entries.server.ts";
import { ADA, BOB, database, deliver, welcomed } from "#tests/support/pool/deliver-messages.ts";
import { bounce, emailEvent } from "#tests/support/pool/email-event.ts";
import { outboxHarness } from "#tests/support/pool/emails.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshStorageForEachTest();

const DAY = 24 * 3_600_000;
const done = { done: [0], retried: [], allRetried: false };

const softly = { soft_bounced_at: expect.any(Number) };
const dead = (reason: string) => ({ sent_at: null, dead_at: expect.any(Number), reason });
const active = { status: "active" };
const unsubscribed = { status: "unsubscribed", unsubscribe_reason: "complaint" };
const hardBounce = { reason: "hard-bounce", until: expect.any(Number) };

/** What each event does to Ada's entry, her email and her address. Bob's stay as they are. */
test.each<[string, object, object, object, object[]]>([
  ["delivered", {}, {}, active, []],
  ["deferred", bounce("soft"), {}, active, []],
  ["opened", {}, {}, active, []],
  ["bounced", bounce("hard"), dead("address-refused"), active, [hardBounce]],
  ["bounced", bounce("soft"), softly, active, []],
  ["bounced", {}, softly, active, []],
  ["complained", { complaint: { type: "abuse" } }, {}, unsubscribed, [{ reason: "complaint", until: null }]],
  ["failed", { failure: { reason: "delivery_failed" } }, dead("rejected"), active, []],
  ["rejected", { rejection: { reason: "spam", party: "sender" } }, dead("rejected"), active, []],
  ["rejected", { rejection: { reason: "suppressed", party: "recipient" } }, {}, active, []],
])("%s %j", async (type, payload, email, entry, suppressions) => {
  await welcomed();
  const [, [before, bobsEmail] = []] = await database();
  expect(await deliver([emailEvent(type, "Ada@Example.com", payload)])).toEqual(done);
  const [entries, emails, list] = await database();
  const { id: _, ...unchanged } = before ?? {};
  // A dead email says when it may be queued again.
  const nextAttempt = "dead_at" in email ? { next_attempt_at: expect.any(Number) } : {};
  expect(emails).toMatchObject([{ ...unchanged, ...email, ...nextAttempt }, bobsEmail ?? {}]);
  expect(entries).toMatchObject([entry, { status: "active" }]);
  expect(list).toMatchObject(suppressions);
  expect(log.filter((line) => line.includes("@"))).toEqual([]);
});

test.each<[string, object]>([
  ["bounced", bounce("hard")],
  ["bounced", bounce("soft")],
  ["complained", {}],
  ["failed", {}],
  ["rejected", {}],
])("%s %j that is delivered again undoes nothing that an owner has mended since", async (type, payload) => {
  await welcomed();
  const [event, before] = [emailEvent(type, ADA, payload), await database()];
  // By several consumers at once.
  await Promise.all(Array.from({ length: 5 }, () => deliver([event])));
  expect(await rows("provider_events")).toHaveLength(1);
  expect(await database()).not.toEqual(before);
  await env.DB.exec("UPDATE email_outbox SET sent_at = first_attempt_at, dead_at = NULL, soft_bounced_at = NULL");
  await env.DB.exec("UPDATE waitlist_emails SET status = 'active', unsubscribe_reason = NULL");
  await env.DB.exec("DELETE FROM suppressions");
  const mended = await database();
  expect((await deliver([event, event])).done).toEqual([0, 1]);
  expect(await database()).toEqual(mended);
});

describe("a hard bounce", () => {
  test("suppresses the address for 7 days from the bounce, even if its event arrives late, or from now if that is earlier", async () => {
    await welcomed();
    const at = Date.now() - 3 * DAY;
    await deliver([emailEvent("bounced", ADA, bounce("hard"), at)]);
    expect(await rows("suppressions")).toMatchObject([{ reason: "hard-bounce", until: at + 7 * DAY }]);
    await deliver([emailEvent("bounced", BOB, bounce("hard"), Date.now() + 365 * DAY)]);
    const [, bobs] = await rows<{ until: number }>("suppressions");
    expect(bobs?.until).toBeLessThanOrEqual(Date.now() + 7 * DAY);
  });

  test("is about the last email before it, not about one that is sent later or has yet to be sent", async () => {
    await welcomed();
    const at = Date.now() - 60_000;
    const insert = env.DB.prepare(`INSERT INTO email_outbox
      (id, entry_id, kind, dedupe_key, priority, attempts, next_attempt_at, first_attempt_at, sent_at, created_at)
      VALUES (?1, 1, 'my-data-link', ?1, 1, 1, 0, ?2, ?3, 1)`);
    await env.DB.exec("DELETE FROM email_outbox");
    await insert.bind("older", at - 2_000, at - 2_000).run();
    await insert.bind("waiting", at - 500, null).run();
    await insert.bind("last", at - 1_000, at - 1_000).run();
    await insert.bind("later", at + 1_000, at + 1_000).run();
    await deliver([emailEvent("bounced", ADA, bounce("hard"), at)]);
    const emails = await rows<{ dedupe_key: string; dead_at: number | null }>("email_outbox");
    expect(emails.filter(({ dead_at }) => dead_at !== null).map(({ dedupe_key }) => dedupe_key)).toEqual(["last"]);
  });

  test("that arrives before the email is recorded as sent is not overwritten by that record", async () => {
    const outbox = outboxHarness();
    outbox.clock.now = Date.now() - 1_000;
    await outbox.join(ADA);
    outbox.deps.mailer = {
      keyLifetime: 0,
      async send() {
        await deliver([emailEvent("bounced", ADA, bounce("hard"))]);
        return { state: "sent" };
      },
    };
    await outbox.sweep();
    expect(await rows("email_outbox")).toMatchObject([{ sent_at: null, reason: "address-refused" }]);
  });

  test("of an email to the owner suppresses nothing", async () => {
    const OWNER_EMAIL = "owner@waitlist-site.example";
    const events = ["bounced", "complained"].map((type) => emailEvent(type, OWNER_EMAIL, bounce("hard")));
    expect(await deliver(events, { overrides: { OWNER_EMAIL } })).toMatchObject({ done: [0, 1], retried: [] });
    expect(await rows("suppressions")).toEqual([]);
  });
});

test("events about an erased entry suppress the address, which survives a new sign-up", async () => {
  const { db, clock, join, sweep } = await welcomed();
  await eraseEntry(db, 1, clock.now);
  expect(await deliver([emailEvent("complained", ADA)])).toEqual(done);
  await join(ADA);
  expect(await sweep()).toEqual({ sent: 0, failed: 0, dead: 1 });
});
