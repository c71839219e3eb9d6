import { env } from "cloudflare:test";
import { Webhook } from "standardwebhooks";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { brokenD1 } from "#tests/support/pool/d1.ts";
import { ADA, database } from "#tests/support/pool/deliver-messages.ts";
import { outboxHarness } from "#tests/support/pool/emails.ts";
import { bounce, postWebhook, resendEvent, WEBHOOK_SECRET } from "#tests/support/pool/resend-webhook.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

freshStorageForEachTest();

const WEEK = 7 * 24 * 3_600_000;

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
    ["no signature", 401, { headers: { "svix-signature": "" } }],
    ["no time", 401, { headers: { "svix-timestamp": "" } }],
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
      { dead_at: expect.any(Number), done_at: null, reason: "address-refused", leased_until: 0 },
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

test("soft bounces: the third among the last five emails suppresses the address for 7 days", async () => {
  const { clock } = await welcomed();
  await env.DB.exec("DELETE FROM email_outbox");
  const insert = env.DB.prepare(`INSERT INTO email_outbox
    (id, entry_id, kind, dedupe_key, priority, attempts, next_attempt_at, done_at, created_at)
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
    { done_at: null, reason: "rejected", dead_at: expect.any(Number) },
  ]);
  expect(await emailId()).not.toBe(id);
  expect(await rows("suppressions")).toEqual([]);
});

test("if the database fails, the response is 503 and nothing is remembered, so that the repetition counts", async () => {
  const event = resendEvent("email.bounced", (await welcomed()).id, ADA, bounce("Permanent"));
  const before = await database();
  expect((await postWebhook(event, { id: "msg_1" }, { DB: brokenD1 })).status).toBe(503);
  expect(await database()).toEqual(before);
  expect((await postWebhook(event, { id: "msg_1" })).status).toBe(200);
  expect(await rows("suppressions")).toHaveLength(1);
});

const body = JSON.stringify(resendEvent("email.complained", "an-id", ADA));
const time = () => Math.floor(Date.now() / 1_000);

/** Posts a request with any headers, as someone does who has seen a genuine one. */
function post(sent: BodyInit, headers: Record<string, string>) {
  const site = apiSite({ RESEND_WEBHOOK_SECRET: WEBHOOK_SECRET } as Partial<Env>);
  return site.request("/api/webhooks/resend", { method: "POST", headers, body: sent });
}

function signed(id: string, at: number, text: string) {
  const signature = new Webhook(WEBHOOK_SECRET).sign(id, new Date(at * 1_000), text);
  return { "svix-id": id, "svix-timestamp": String(at), "svix-signature": signature };
}

describe("with the signature of a genuine request", () => {
  test("no other id, time or body is accepted, nor the same characters divided in another way", async () => {
    await outboxHarness().join(ADA);
    const [before, at] = [await database(), time()];
    const headers = signed("msg_1", at, body);
    const attempts: [BodyInit, Record<string, string>][] = [
      [body, { ...headers, "svix-id": "msg_2" }],
      [body, { ...headers, "svix-id": "MSG_1" }],
      [body, { ...headers, "svix-id": "msg_1." }],
      [body, { ...headers, "svix-timestamp": String(at + 1) }],
      [body, { ...headers, "svix-timestamp": String(at - 1) }],
      [`${at}.${body}`, headers],
      [body, { ...headers, "svix-id": `msg_1.${at}` }],
      [`${body} `, headers],
      [`\n${body}`, headers],
      [body.replace(ADA, "eve@example.com"), headers],
      [body.replace("complained", "bounced"), headers],
      [JSON.stringify(JSON.parse(body), null, 1), headers],
      ["", headers],
    ];
    for (const [sent, changed] of attempts) expect((await post(sent, changed)).status).toBe(401);
    expect(await database()).toEqual(before);
    expect((await post(body, headers)).status).toBe(200);
    expect(await rows("waitlist_emails")).toMatchObject([{ status: "unsubscribed" }]);
  });

  test("the request can be repeated for five minutes, and changes nothing again", async () => {
    await outboxHarness().join(ADA);
    const headers = signed("msg_1", time(), body);
    expect((await post(body, headers)).status).toBe(200);
    await env.DB.exec("UPDATE waitlist_emails SET status = 'active'");
    await env.DB.exec("DELETE FROM suppressions");
    const after = await database();
    const responses = await Promise.all(Array.from({ length: 20 }, () => post(body, headers)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await database()).toEqual(after);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 301_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect((await post(body, headers)).status).toBe(401);
  });
});

test("a body without a length is read up to 64 KB", async () => {
  const piece = new TextEncoder().encode("x".repeat(8_192));
  let pieces = 0;
  const endless = new ReadableStream({
    pull(controller) {
      pieces += 1;
      controller.enqueue(piece);
    },
  });
  expect((await post(endless, signed("msg_1", time(), ""))).status).toBe(413);
  expect(pieces).toBeLessThan(20);
});

test.each([
  ["lists", "[".repeat(65_000)],
  ["objects", '{"data":'.repeat(8_000)],
  ["a number without an end", "9".repeat(65_000)],
])("64 KB of %s, signed, are no event: 400", async (_, text) => {
  expect((await postWebhook(text)).status).toBe(400);
});
