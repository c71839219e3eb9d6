import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { eraseEntry, rejoinEntry } from "#app/waitlist/entries.server.ts";
import { brokenD1 } from "#tests/support/pool/broken-d1.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { deliver } from "#tests/support/pool/deliver-messages.ts";
import { bounce, emailEvent } from "#tests/support/pool/email-event.ts";
import { explain } from "#tests/support/pool/explain.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { meteredD1 } from "#tests/support/pool/metered-d1.ts";
import { outboxHarness } from "#tests/support/pool/outbox-harness.ts";

freshStorageForEachTest();
const log = captureLog();

const ADA = "ada@example.com";
const BOB = "bob@example.com";
const DAY = 24 * 3_600_000;
const done = { done: [0], retried: [], allRetried: false };

const database = async () =>
  Promise.all(
    (["waitlist_emails", "email_outbox", "suppressions", "provider_events"] as const).map((table) => rows(table)),
  );

/** A waitlist with two entries and their sent welcome emails, at the real time. */
async function welcomed() {
  const outbox = outboxHarness();
  outbox.clock.now = Date.now();
  for (const email of [ADA, BOB]) await outbox.join(email);
  await outbox.sweep();
  return outbox;
}

const logged = () => log.map((line) => JSON.parse(line)).filter(({ event }) => /^email-events?-/.test(event));

/** What each event does to Ada's entry, her email and her address. Bob's stay as they are. */
test.each<[string, object, object, object, object[]]>([
  ["delivered", {}, {}, { status: "active" }, []],
  ["deferred", bounce("soft"), {}, { status: "active" }, []],
  ["opened", {}, {}, { status: "active" }, []],
  [
    "bounced",
    bounce("hard"),
    { sent_at: null, dead_at: expect.any(Number), reason: "address-refused" },
    { status: "active" },
    [{ reason: "hard-bounce", until: expect.any(Number) }],
  ],
  ["bounced", bounce("soft"), { soft_bounced_at: expect.any(Number) }, { status: "active" }, []],
  ["bounced", {}, { soft_bounced_at: expect.any(Number) }, { status: "active" }, []],
  [
    "complained",
    { complaint: { type: "abuse" } },
    {},
    { status: "unsubscribed", unsubscribe_reason: "complaint" },
    [{ reason: "complaint", until: null }],
  ],
  [
    "failed",
    { failure: { reason: "delivery_failed" } },
    { sent_at: null, dead_at: expect.any(Number), reason: "rejected" },
    { status: "active" },
    [],
  ],
  [
    "rejected",
    { rejection: { reason: "spam", party: "sender" } },
    { sent_at: null, dead_at: expect.any(Number), reason: "rejected" },
    { status: "active" },
    [],
  ],
  ["rejected", { rejection: { reason: "suppressed", party: "recipient" } }, {}, { status: "active" }, []],
])("%s %j", async (type, payload, email, entry, suppressions) => {
  await welcomed();
  const [, [before, bobsEmail] = []] = await database();
  expect(await deliver([emailEvent(type, "Ada@Example.com", payload)])).toEqual(done);
  const [entries, emails, list] = await database();
  const { id: _, ...unchanged } = before ?? {};
  expect(emails).toMatchObject([{ ...unchanged, ...email, ...nextAttempt(email) }, bobsEmail ?? {}]);
  expect(entries).toMatchObject([entry, { status: "active" }]);
  expect(list).toMatchObject(suppressions);
  expect(log.filter((line) => line.includes("@"))).toEqual([]);
});

/** A dead email says when it may be queued again. */
function nextAttempt(email: object) {
  return "dead_at" in email ? { next_attempt_at: expect.any(Number) } : {};
}

describe("a message that is no event of this site is done, and changes nothing", () => {
  const { source, payload, metadata, ...event } = emailEvent("complained", ADA);
  test.each<[string, unknown, string]>([
    ["nothing", null, "unreadable"],
    ["a text", "cf.email.sending.message.complained", "unreadable"],
    ["a number", 7, "unreadable"],
    ["a list", [emailEvent("complained", ADA)], "unreadable"],
    ["bytes", new Uint8Array([1, 2, 3]), "unreadable"],
    ["an empty object", {}, "unreadable"],
    ["128 KB of text", "x".repeat(128_000), "unreadable"],
    ["an event without a payload", { ...event, source, metadata }, "unreadable"],
    ["an event without a time", { ...event, source, payload, metadata: {} }, "unreadable"],
    ["a time that is none", { ...event, source, payload, metadata: { eventTimestamp: "soon" } }, "unreadable"],
    ["an id that is none", { ...event, source, metadata, payload: { ...payload, eventId: "a b" } }, "unreadable"],
    [
      "an id of 128 KB",
      { ...event, source, metadata, payload: { ...payload, eventId: "x".repeat(128_000) } },
      "unreadable",
    ],
    ["recipients in a list", { ...event, source, metadata, payload: { ...payload, recipient: [ADA] } }, "unreadable"],
    ["an event of another product", { ...event, source: { type: "kv" }, payload, metadata }, "unreadable"],
    ["an unknown event", emailEvent("unsubscribed", ADA), "ignored"],
    ["an event of another name", { ...emailEvent("complained", ADA), type: "message.complained" }, "ignored"],
    [
      "an email of another site in the account",
      { ...emailEvent("complained", ADA, { sender: "shop@waitlist-site.example" }) },
      "ignored",
    ],
    [
      "an email of another account and domain",
      {
        ...emailEvent("complained", ADA, { sender: "pioneers@elsewhere.example" }),
        source: { ...source, domain: "elsewhere.example" },
        metadata: { ...metadata, accountId: "0".repeat(32) },
      },
      "ignored",
    ],
    ["an event of 7 days ago", emailEvent("complained", ADA, {}, Date.now() - 7 * DAY), "expired"],
  ])("%s: %#", async (_name, body, event) => {
    await welcomed();
    const before = await database();
    expect(await deliver([body])).toEqual(done);
    expect(await database()).toEqual(before);
    expect(logged()).toMatchObject([{ event: `email-event-${event}` }]);
    expect(log.join().length).toBeLessThan(2_000);
    expect(log.filter((line) => line.includes("@"))).toEqual([]);
  });

  test("any event while the site has no sender", async () => {
    await welcomed();
    const before = await database();
    expect(await deliver([emailEvent("complained", ADA)], { overrides: { MAIL_FROM: "" } })).toEqual(done);
    expect(await database()).toEqual(before);
  });
});

test("a large event is read: the site ignores its long subject", async () => {
  await welcomed();
  expect(await deliver([emailEvent("complained", ADA, { subject: "x".repeat(120_000) })])).toEqual(done);
  expect(await rows("suppressions")).toHaveLength(1);
});

test("messages that cannot be read, and one whose effect fails, delay no other message", async () => {
  await welcomed();
  const { d1 } = meteredD1((sql) => {
    if (/^insert into "suppressions"/i.test(sql) && failures-- > 0) throw new Error(`D1_ERROR: lost ${ADA}`);
  });
  let failures = 1;
  const batch = [null, emailEvent("bounced", ADA, bounce("hard")), emailEvent("complained", BOB)];
  expect(await deliver(batch, { overrides: { DB: d1 } })).toEqual({
    done: [0, 2],
    retried: [[1, 300]],
    allRetried: false,
  });
  expect(await rows("suppressions")).toMatchObject([{ reason: "complaint" }]);
  expect(logged()).toMatchObject([
    { event: "email-event-unreadable", messageId: "0" },
    { event: "email-event-failed", messageId: "1" },
  ]);
  expect(log.filter((line) => line.includes("@"))).toEqual([]);
});

describe("if the database fails", () => {
  test.each([
    [1, 300],
    [2, 600],
    [8, 38_400],
    [9, 43_200],
    [20, 43_200],
  ])("the message is retried: after attempt %d, in %d seconds", async (attempts, delay) => {
    await welcomed();
    const event = emailEvent("complained", ADA);
    const before = await database();
    const broken = await deliver([event], { overrides: { DB: brokenD1 }, attempts });
    expect(broken).toEqual({ done: [], retried: [[0, delay]], allRetried: false });
    expect(await database()).toEqual(before);
    expect(await deliver([event])).toEqual(done);
    expect(await rows("suppressions")).toHaveLength(1);
  });
});

test("if the configuration is invalid, the whole batch is retried", async () => {
  await welcomed();
  const overrides = { SITE_URL: `ada@example.com` };
  expect(await deliver([null, emailEvent("complained", ADA)], { overrides })).toMatchObject({
    done: [],
    allRetried: 900,
  });
  expect(await rows("suppressions")).toEqual([]);
  expect(log.filter((line) => line.includes("@"))).toEqual([]);
});

describe("an event is applied once", () => {
  test("also if it is delivered again, in one batch or later", async () => {
    const { db, clock } = await welcomed();
    const event = emailEvent("complained", ADA);
    expect((await deliver([event, event])).done).toEqual([0, 1]);
    const [{ address_hash: hash } = { address_hash: "" }] = await rows<{ address_hash: string }>("suppressions");
    await rejoinEntry(db, 1, clock.now, hash);
    const before = await database();
    expect(await deliver([event])).toEqual(done);
    expect(await database()).toEqual(before);
    expect(await rows("suppressions")).toEqual([]);
  });

  test("also by several consumers at once", async () => {
    await welcomed();
    const event = emailEvent("bounced", ADA, bounce("hard"));
    await Promise.all(Array.from({ length: 5 }, () => deliver([event])));
    expect(await rows("provider_events")).toHaveLength(1);
    expect(await rows("suppressions")).toHaveLength(1);
  });
});

describe("a hard bounce", () => {
  test("suppresses the address for 7 days from the bounce, even if its event arrives late", async () => {
    await welcomed();
    const at = Date.now() - 3 * DAY;
    await deliver([emailEvent("bounced", ADA, bounce("hard"), at)]);
    expect(await rows("suppressions")).toMatchObject([{ reason: "hard-bounce", until: at + 7 * DAY }]);
  });

  test("with a time in the future suppresses it for 7 days from now", async () => {
    await welcomed();
    await deliver([emailEvent("bounced", ADA, bounce("hard"), Date.now() + 365 * DAY)]);
    const [suppression] = await rows<{ until: number }>("suppressions");
    expect(suppression?.until).toBeLessThanOrEqual(Date.now() + 7 * DAY);
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
    for (const type of ["bounced", "complained"]) {
      expect(await deliver([emailEvent(type, OWNER_EMAIL, bounce("hard"))], { overrides: { OWNER_EMAIL } })).toEqual(
        done,
      );
    }
    expect(await rows("suppressions")).toEqual([]);
  });

  test("finds the email by index", async () => {
    const meter = meteredD1();
    await welcomed();
    await deliver([emailEvent("bounced", ADA, bounce("hard"))], { overrides: { DB: meter.d1 } });
    const [search] = meter.matching(/order by "email_outbox"."first_attempt_at"/);
    expect(search && (await explain(search))[0]).toMatch(/^SEARCH waitlist_emails USING .*email=/);
    expect(search && (await explain(search))[1]).toMatch(/^SEARCH email_outbox USING INDEX email_outbox_entry_id/);
  });
});

test("events about an erased entry suppress the address, which survives a new sign-up", async () => {
  const { db, clock, join, sweep } = await welcomed();
  await eraseEntry(db, 1, clock.now);
  expect(await deliver([emailEvent("complained", ADA)])).toEqual(done);
  await join(ADA);
  expect(await sweep()).toEqual({ sent: 0, failed: 0, dead: 1 });
});

test("the third soft bounce among the last five emails suppresses the address", async () => {
  await welcomed();
  await env.DB.exec("DELETE FROM email_outbox");
  const insert = env.DB.prepare(`INSERT INTO email_outbox
    (id, entry_id, kind, dedupe_key, priority, attempts, next_attempt_at, first_attempt_at, sent_at, created_at)
    VALUES (?1, 1, 'welcome', ?1, 1, 1, 0, ?2, ?2, ?2)`);
  const start = Date.now() - DAY;
  for (let n = 1; n <= 3; n += 1) {
    expect(await rows("suppressions")).toEqual([]);
    await insert.bind(`email-${n}`, start + n * 1_000).run();
    await deliver([emailEvent("bounced", ADA, bounce("soft"), start + n * 1_000 + 500)]);
  }
  expect(await rows("suppressions")).toMatchObject([{ reason: "soft-bounces" }]);
});
