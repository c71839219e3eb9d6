import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { rejoinEntry } from "#app/waitlist/entries.server.ts";
import { eraseEntry } from "#app/waitlist/erase-entries.server.ts";
import { brokenD1 } from "#tests/support/pool/broken-d1.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { outboxHarness } from "#tests/support/pool/outbox-harness.ts";
import { bounce, postWebhook, resendEvent, WEBHOOK_SECRET } from "#tests/support/pool/resend-webhook.ts";
import { apiSite } from "#tests/support/pool/site.ts";

freshStorageForEachTest();
const log = captureLog();

const ADA = "ada@example.com";
const WEEK = 7 * 24 * 3_600_000;

const database = async () =>
  Promise.all(
    (["waitlist_emails", "email_outbox", "suppressions", "provider_events"] as const).map((table) => rows(table)),
  );

const emailId = async () => (await rows<{ id: string }>("email_outbox"))[0]?.id ?? "";

/** A waitlist with one entry and its sent welcome email, at the real time. */
async function welcomed(email = ADA) {
  const outbox = outboxHarness();
  outbox.clock.now = Date.now();
  await outbox.join(email);
  await outbox.sweep();
  return { ...outbox, id: await emailId() };
}

describe("a request that is not a genuine event changes nothing", () => {
  const hardBounce = async () => resendEvent("email.bounced", (await welcomed()).id, ADA, bounce("Permanent"));

  test.each([
    ["a signature with another secret", 401, { secret: "whsec_YW5vdGhlciBzZWNyZXQgb2YgdGhlc2UgdGVzdHM=" }],
    ["a signature that is 6 minutes old", 401, { age: 360 }],
    ["a signature from 6 minutes ahead", 401, { age: -360 }],
    ["another event's id", 401, { headers: { "svix-id": "msg_other" } }],
    ["no signature", 401, { headers: { "svix-signature": "" } }],
    ["a signature that is not base64", 401, { headers: { "svix-signature": "v1,%%%" } }],
    ["a signature of another version", 401, { headers: { "svix-signature": "v2,abc" } }],
    ["no time", 401, { headers: { "svix-timestamp": "" } }],
    ["a time that is no number", 401, { headers: { "svix-timestamp": "soon" } }],
    ["the standard's own header names", 401, { headers: { "svix-id": "", "webhook-id": "msg_1" } }],
  ])("%s: %d", async (_name, status, delivery) => {
    const event = await hardBounce();
    const before = await database();
    const response = await postWebhook(event, delivery);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ ok: false, error: { code: "bad-signature" } });
    expect(await database()).toEqual(before);
  });

  test.each(["", "{", "null", "[]", '"text"', "{}", '{"type":"email.bounced"}', '{"type":7,"data":{}}'])(
    "a signed body %j that is no event: 400",
    async (body) => {
      const before = await database();
      const response = await postWebhook(body);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ ok: false, error: { code: "malformed-event" } });
      expect(await database()).toEqual(before);
    },
  );

  test("a body altered after it was signed: 401", async () => {
    const event = await hardBounce();
    const signature = { headers: { "svix-signature": "v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=" } };
    expect((await postWebhook(event, signature)).status).toBe(401);
    expect((await rows("suppressions")).length).toBe(0);
  });

  test("an event from 4 minutes ago is accepted, so that the refusals above are for their own reasons", async () => {
    expect((await postWebhook(await hardBounce(), { age: 240 })).status).toBe(200);
    expect(await rows("suppressions")).toHaveLength(1);
  });

  test("a body over 64 KB: 413; another method: 405", async () => {
    expect((await postWebhook("x".repeat(65_537))).status).toBe(413);
    const site = apiSite({ RESEND_WEBHOOK_SECRET: WEBHOOK_SECRET } as Partial<Env>);
    for (const method of ["GET", "HEAD", "PUT", "DELETE"]) {
      const response = await site.request("/api/webhooks/resend", { method });
      expect([response.status, response.headers.get("Allow")]).toEqual([405, "POST"]);
    }
  });

  test("any request while RESEND_WEBHOOK_SECRET is not set: 404", async () => {
    const event = await hardBounce();
    const before = await database();
    expect((await postWebhook(event, {}, { RESEND_WEBHOOK_SECRET: undefined })).status).toBe(404);
    expect(await database()).toEqual(before);
  });
});

describe("a genuine event that this site does not act on is accepted and changes nothing", () => {
  test.each(["email.sent", "email.delivered", "email.opened", "email.delivery_delayed", "email.something_new"])(
    "%s",
    async (type) => {
      const { id } = await welcomed();
      const before = await database();
      expect((await postWebhook(resendEvent(type, id, ADA))).status).toBe(200);
      expect(await database()).toEqual(before);
    },
  );

  test("events about other things, and about emails of another site on the same account", async () => {
    await welcomed();
    const before = await database();
    const event = resendEvent("email.complained", "", ADA);
    for (const data of [
      { id: "d91cd9bd", name: "example.com", status: "verified" },
      { ...event.data, tags: undefined },
      { ...event.data, tags: { category: "shop" } },
      { ...event.data, tags: [{ name: "email_id", value: "../../x" }] },
      { ...event.data, tags: "email_id" },
      { ...event.data, to: [], tags: { email_id: await emailId() } },
    ]) {
      expect((await postWebhook({ ...event, data })).status).toBe(200);
    }
    expect(await database()).toEqual(before);
  });
});

describe("a hard bounce", () => {
  test.each([
    ["email.bounced", bounce("Permanent")],
    ["email.bounced", {}],
    ["email.suppressed", { suppressed: { type: "OnAccountSuppressionList", message: "suppressed" } }],
  ])("%s %j makes the sent email dead and suppresses the address for 7 days", async (type, data) => {
    const { id, clock } = await welcomed();
    expect((await postWebhook(resendEvent(type, id, ADA, data))).status).toBe(200);
    expect(await rows("email_outbox")).toMatchObject([
      { dead_at: expect.any(Number), sent_at: null, reason: "address-refused", leased_until: 0 },
    ]);
    const [suppression] = await rows<{ until: number }>("suppressions");
    expect(suppression).toMatchObject({ reason: "hard-bounce", address_hash: expect.stringMatching(/^[\w-]{43}$/) });
    expect((suppression?.until ?? 0) - clock.now - WEEK).toBeLessThan(60_000);
    expect(await rows("waitlist_emails")).toMatchObject([{ status: "active" }]);
    expect(JSON.stringify(await database().then(([, ...others]) => others))).not.toContain("@");
  });

  test("finds the email by tags in the documented list form, too", async () => {
    const { id } = await welcomed();
    const tags = [{ name: "email_id", value: id }];
    await postWebhook(resendEvent("email.bounced", id, ADA, { tags, ...bounce("Permanent") }));
    expect(await rows("suppressions")).toHaveLength(1);
  });

  test("that arrives before the email is recorded as sent is not overwritten by that record", async () => {
    const outbox = outboxHarness();
    await outbox.join(ADA);
    outbox.deps.mailer = {
      keyLifetime: 0,
      async send(_message, id) {
        expect((await postWebhook(resendEvent("email.bounced", id, ADA, bounce("Permanent")))).status).toBe(200);
        return { state: "sent" };
      },
    };
    await outbox.sweep();
    expect(await rows("email_outbox")).toMatchObject([
      { sent_at: null, dead_at: expect.any(Number), reason: "address-refused" },
    ]);
  });

  test("does not free the send limit for another email", async () => {
    const outbox = outboxHarness({ emailsPerHour: 1 });
    outbox.clock.now = Date.now();
    await outbox.join(ADA);
    await outbox.join("bob@example.com");
    expect(await outbox.sweep()).toMatchObject({ sent: 1 });
    await postWebhook(resendEvent("email.bounced", await emailId(), ADA, bounce("Permanent")));
    expect(await outbox.sweep()).toMatchObject({ sent: 0 });
    outbox.clock.now += 3_700_000;
    expect(await outbox.sweep()).toMatchObject({ sent: 1 });
  });

  test("of an email to the owner suppresses nothing", async () => {
    await env.DB.exec(
      `INSERT INTO email_outbox (id, kind, dedupe_key, priority, attempts, next_attempt_at, sent_at, created_at)
      VALUES ('sign-in-1', 'sign-in', 'sign-in', 0, 1, 1, 1, 1)`.replaceAll("\n", " "),
    );
    const owner = { OWNER_EMAIL: "owner@waitlist-site.example" };
    for (const [id, type] of [
      ["sign-in-1", "email.bounced"],
      ["gone", "email.bounced"],
      ["gone", "email.complained"],
    ] as const) {
      expect((await postWebhook(resendEvent(type, id, owner.OWNER_EMAIL), {}, owner)).status).toBe(200);
    }
    expect(await rows("suppressions")).toEqual([]);
    expect(await rows("email_outbox")).toMatchObject([{ reason: "address-refused", sent_at: null }]);
  });
});

describe("a complaint", () => {
  test("unsubscribes the entry, deletes its queued emails and suppresses the address for good", async () => {
    const { id } = await welcomed();
    await postWebhook(resendEvent("email.complained", id, ADA));
    expect(await rows("waitlist_emails")).toMatchObject([
      { status: "unsubscribed", unsubscribe_reason: "complaint", unsubscribed_at: expect.any(Number) },
    ]);
    expect(await rows("suppressions")).toMatchObject([{ reason: "complaint", until: null }]);
  });

  test("is not shortened by a bounce, before or after it", async () => {
    const { id } = await welcomed();
    for (const type of ["email.bounced", "email.complained", "email.bounced"]) {
      expect((await postWebhook(resendEvent(type, id, ADA))).status).toBe(200);
    }
    expect(await rows("suppressions")).toMatchObject([{ reason: "complaint", until: null }]);
    expect(await rows("provider_events")).toHaveLength(3);
  });

  test("of someone who has left already keeps the time of leaving", async () => {
    const { id } = await welcomed();
    await env.DB.exec("UPDATE waitlist_emails SET status = 'unsubscribed', unsubscribed_at = 5");
    await postWebhook(resendEvent("email.complained", id, ADA));
    expect(await rows("waitlist_emails")).toMatchObject([{ unsubscribed_at: 5, unsubscribe_reason: "complaint" }]);
  });

  test("about an email whose row was replaced is found by the recipient", async () => {
    await welcomed();
    await postWebhook(resendEvent("email.complained", crypto.randomUUID(), "Ada@Example.com"));
    expect(await rows("waitlist_emails")).toMatchObject([{ status: "unsubscribed" }]);
  });
});

test("events about an erased entry suppress the address, which survives a new sign-up", async () => {
  const { id, db, clock, join, sweep } = await welcomed();
  await eraseEntry(db, 1, clock.now);
  await postWebhook(resendEvent("email.complained", id, ADA));
  expect(await rows("suppressions")).toMatchObject([{ reason: "complaint", until: null }]);
  expect(await rows("waitlist_emails")).toEqual([]);
  await join(ADA);
  expect(await sweep()).toEqual({ sent: 0, failed: 0, dead: 1 });
  expect(await rows("email_outbox")).toMatchObject([{ reason: "complaint", dead_at: expect.any(Number) }]);
});

test("soft bounces: the third among the last five emails suppresses the address for 7 days", async () => {
  const { clock } = await welcomed();
  await env.DB.exec("DELETE FROM email_outbox");
  const insert = env.DB.prepare(`INSERT INTO email_outbox
    (id, entry_id, kind, dedupe_key, priority, attempts, next_attempt_at, sent_at, created_at)
    VALUES (?1, 1, 'welcome', ?1, 1, 1, 0, ?2, ?2)`);
  for (let n = 1; n <= 7; n += 1) await insert.bind(`email-${n}`, n).run();
  const soften = async (n: number) =>
    expect((await postWebhook(resendEvent("email.bounced", `email-${n}`, ADA, bounce("Transient")))).status).toBe(200);
  // The first two are not among the last five any more.
  for (const n of [1, 2, 4, 6]) await soften(n);
  expect(await rows("suppressions")).toEqual([]);
  await postWebhook(resendEvent("email.bounced", "email-6", ADA, bounce("Transient")));
  expect(await rows("suppressions")).toEqual([]);
  await postWebhook(resendEvent("email.bounced", "email-7", ADA, bounce("Undetermined")));
  const [suppression] = await rows<{ until: number }>("suppressions");
  expect(suppression).toMatchObject({ reason: "soft-bounces" });
  expect((suppression?.until ?? 0) - clock.now).toBeGreaterThan(WEEK - 1);
  expect(await rows("email_outbox")).toMatchObject(Array(7).fill({ dead_at: null }));
});

test("email.failed makes the email dead, and a later attempt is a new email to the provider", async () => {
  const { id } = await welcomed();
  await postWebhook(resendEvent("email.failed", id, ADA, { failed: { reason: "reached_daily_quota" } }));
  expect(await rows("email_outbox")).toMatchObject([
    { sent_at: null, reason: "rejected", dead_at: expect.any(Number) },
  ]);
  expect(await emailId()).not.toBe(id);
  expect(await rows("suppressions")).toEqual([]);
});

describe("an event is applied once", () => {
  test("a repetition does not undo what happened since", async () => {
    const { id, db, clock } = await welcomed();
    const event = resendEvent("email.complained", id, ADA);
    await postWebhook(event, { id: "msg_1" });
    const [{ address_hash: hash } = { address_hash: "" }] = await rows<{ address_hash: string }>("suppressions");
    await rejoinEntry(db, 1, clock.now, { addressHash: hash });
    const before = await database();
    for (let repetition = 0; repetition < 3; repetition += 1) {
      expect((await postWebhook(event, { id: "msg_1" })).status).toBe(200);
    }
    expect(await database()).toEqual(before);
    expect(await rows("waitlist_emails")).toMatchObject([{ status: "active", unsubscribe_reason: null }]);
    expect(await rows("suppressions")).toEqual([]);
  });

  test("concurrent deliveries of one event have one effect", async () => {
    const { id } = await welcomed();
    const event = resendEvent("email.bounced", id, ADA, bounce("Permanent"));
    const responses = await Promise.all(Array.from({ length: 5 }, () => postWebhook(event, { id: "msg_1" })));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await rows("provider_events")).toHaveLength(1);
    expect(await rows("suppressions")).toHaveLength(1);
  });

  test("if the database fails, the response is 503 and nothing is remembered, so that the repetition counts", async () => {
    const { id } = await welcomed();
    const event = resendEvent("email.bounced", id, ADA, bounce("Permanent"));
    const before = await database();
    expect((await postWebhook(event, { id: "msg_1" }, { DB: brokenD1 })).status).toBe(503);
    expect(await database()).toEqual(before);
    expect((await postWebhook(event, { id: "msg_1" })).status).toBe(200);
    expect(await rows("suppressions")).toHaveLength(1);
  });
});

test("the log contains no address", async () => {
  const { id } = await welcomed();
  for (const type of ["email.bounced", "email.complained", "email.delivered"]) {
    await postWebhook(resendEvent(type, id, ADA, bounce("Permanent")));
  }
  await postWebhook(resendEvent("email.bounced", id, ADA), { age: 999 });
  await postWebhook(resendEvent("email.bounced", id, ADA), {}, { DB: brokenD1 });
  const events = log.map((line) => JSON.parse(line).event);
  expect(events).toEqual(expect.arrayContaining(["email-event", "webhook-refused", "api-failed"]));
  expect(log.filter((line) => line.includes("@"))).toEqual([]);
});
