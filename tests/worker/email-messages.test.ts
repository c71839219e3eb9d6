import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { brokenD1, meteredD1 } from "#tests/support/pool/d1.ts";
import { ADA, BOB, database, deliver, welcomed } from "#tests/support/pool/deliver-messages.ts";
import { bounce, emailEvent } from "#tests/support/pool/email-event.ts";
import { outboxHarness } from "#tests/support/pool/emails.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshStorageForEachTest();

const DAY = 24 * 3_600_000;
const done = { done: [0], retried: [], allRetried: false };

const logged = () => log.map((line) => JSON.parse(line)).filter(({ event }) => /^email-events?-/.test(event));

const complaint = emailEvent("complained", ADA);
const { source, payload, metadata } = complaint;
const of = (change: object) => ({ ...complaint, payload: { ...payload, ...change } });
const ofAnotherAccount = {
  ...of({ sender: "pioneers@elsewhere.example" }),
  source: { ...source, domain: "elsewhere.example" },
  metadata: { ...metadata, accountId: "0".repeat(32) },
};

test.each<[what: string, event: string, ...bodies: unknown[]]>([
  ["nothing", "unreadable", null],
  ["a text or a number", "unreadable", "cf.email.sending.message.complained", "x".repeat(128_000), 7],
  ["a list, bytes or an empty object", "unreadable", [complaint], new Uint8Array([1, 2, 3]), {}],
  ["an event without a payload", "unreadable", { ...complaint, payload: undefined }],
  ["no time", "unreadable", ...[{}, { eventTimestamp: "soon" }].map((metadata) => ({ ...complaint, metadata }))],
  ["an id that is none, or of 128 KB", "unreadable", of({ eventId: "a b" }), of({ eventId: "x".repeat(128_000) })],
  ["recipients in a list", "unreadable", of({ recipient: [ADA] })],
  ["an event of another product", "unreadable", { ...complaint, source: { type: "kv" } }],
  ["an unknown event", "ignored", emailEvent("unsubscribed", ADA), { ...complaint, type: "message.complained" }],
  ["an email of another site in the account", "ignored", of({ sender: "shop@waitlist-site.example" })],
  ["an email of another account and domain", "ignored", ofAnotherAccount],
  ["an event of 7 days ago", "expired", emailEvent("complained", ADA, {}, Date.now() - 7 * DAY)],
])("a message that is no event of this site is done, and changes nothing: %s", async (_, event, ...bodies) => {
  await welcomed();
  const before = await database();
  expect(await deliver(bodies)).toEqual({ ...done, done: bodies.map((_, index) => index) });
  expect(await database()).toEqual(before);
  expect(logged()).toMatchObject(bodies.map(() => ({ event: `email-event-${event}` })));
  for (const line of log) expect(line.length).toBeLessThan(2_000);
  expect(log.filter((line) => line.includes("@"))).toEqual([]);
});

test("any event is done, and changes nothing, while the site has no sender", async () => {
  await welcomed();
  const before = await database();
  expect(await deliver([complaint], { overrides: { MAIL_FROM: "" } })).toEqual(done);
  expect(await database()).toEqual(before);
});

test("messages that cannot be read, and one whose effect fails, delay no other message", async () => {
  await welcomed();
  const { d1 } = meteredD1((sql) => {
    if (/^insert into "suppressions"/i.test(sql) && failures-- > 0) throw new Error(`D1_ERROR: lost ${ADA}`);
  });
  let failures = 1;
  const batch = [null, emailEvent("bounced", ADA, bounce("hard")), emailEvent("complained", BOB)];
  const delivered = await deliver(batch, { overrides: { DB: d1 } });
  expect(delivered).toEqual({ done: [0, 2], retried: [[1, 300]], allRetried: false });
  expect(await rows("suppressions")).toMatchObject([{ reason: "complaint" }]);
  expect(logged()).toMatchObject([
    { event: "email-event-unreadable", messageId: "0" },
    { event: "email-event-failed", messageId: "1" },
  ]);
  expect(log.filter((line) => line.includes("@"))).toEqual([]);
});

const delays = Object.entries({ 1: 300, 2: 600, 8: 38_400, 9: 43_200, 20: 43_200 });
test.each(delays)(
  "if the database fails, the message is retried: after attempt %s, in %d seconds",
  async (nth, delay) => {
    await welcomed();
    const before = await database();
    const broken = await deliver([complaint], { overrides: { DB: brokenD1 }, attempts: Number(nth) });
    expect(broken).toEqual({ done: [], retried: [[0, delay]], allRetried: false });
    expect(await database()).toEqual(before);
    expect(await deliver([complaint])).toEqual(done);
    expect(await rows("suppressions")).toHaveLength(1);
  },
);

test("if the configuration is invalid, the whole batch is retried", async () => {
  await welcomed();
  const overrides = { SITE_URL: `ada@example.com` };
  expect(await deliver([null, complaint], { overrides })).toMatchObject({ done: [], allRetried: 900 });
  expect(await rows("suppressions")).toEqual([]);
  expect(log.filter((line) => line.includes("@"))).toEqual([]);
});

const softly = { soft_bounced_at: expect.any(Number) };
const dead = (reason: string) => ({ done_at: null, dead_at: expect.any(Number), reason });
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
])(
  "%s %j has its effect once, and delivered again undoes nothing that an owner has mended since",
  async (type, payload, email, entry, suppressions) => {
    await welcomed();
    const [, [before, bobsEmail] = []] = await database();
    const event = emailEvent(type, "Ada@Example.com", payload);
    // By several consumers at once.
    for (const delivered of await Promise.all([1, 2, 3, 4, 5].map(() => deliver([event]))))
      expect(delivered).toEqual(done);
    const [entries, emails, list] = await database();
    const { id: _, ...unchanged } = before ?? {};
    // A dead email says when it may be queued again.
    const nextAttempt = "dead_at" in email ? { next_attempt_at: expect.any(Number) } : {};
    expect(emails).toMatchObject([{ ...unchanged, ...email, ...nextAttempt }, bobsEmail ?? {}]);
    expect(entries).toMatchObject([entry, { status: "active" }]);
    expect(list).toMatchObject(suppressions);
    expect(log.filter((line) => line.includes("@"))).toEqual([]);
    await env.DB.exec("UPDATE email_outbox SET done_at = first_attempt_at, dead_at = NULL, soft_bounced_at = NULL");
    await env.DB.exec("UPDATE waitlist_emails SET status = 'active', unsubscribe_reason = NULL");
    await env.DB.exec("DELETE FROM suppressions");
    const mended = await database();
    expect((await deliver([event, event])).done).toEqual([0, 1]);
    expect(await database()).toEqual(mended);
  },
);

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
      (id, entry_id, kind, dedupe_key, priority, attempts, next_attempt_at, first_attempt_at, done_at, created_at)
      VALUES (?1, 1, 'my-data-link', ?1, 1, 1, 0, ?2, ?3, 1)`);
    await env.DB.exec("DELETE FROM email_outbox");
    const attempts = { older: at - 2_000, last: at - 1_000, later: at + 1_000 };
    for (const [name, time] of Object.entries(attempts)) await insert.bind(name, time, time).run();
    await insert.bind("waiting", at - 500, null).run();
    await deliver([emailEvent("bounced", ADA, bounce("hard"), at)]);
    const emails = await rows<{ dedupe_key: string; dead_at: number | null }>("email_outbox");
    expect(emails.flatMap(({ dead_at, dedupe_key }) => (dead_at === null ? [] : [dedupe_key]))).toEqual(["last"]);
  });

  test("that arrives before the email is recorded as sent is not overwritten by that record", async () => {
    const outbox = outboxHarness();
    outbox.clock.now = Date.now() - 1_000;
    await outbox.join(ADA);
    const send = async () => {
      await deliver([emailEvent("bounced", ADA, bounce("hard"))]);
      return { state: "sent" } as const;
    };
    outbox.deps.mailer = { keyLifetime: 0, send };
    await outbox.sweep();
    expect(await rows("email_outbox")).toMatchObject([{ done_at: null, reason: "address-refused" }]);
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
