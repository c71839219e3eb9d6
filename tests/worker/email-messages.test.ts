import { describe, expect, test } from "vitest";
import { brokenD1, meteredD1 } from "#tests/support/pool/d1.ts";
import { ADA, BOB, database, deliver, welcomed } from "#tests/support/pool/deliver-messages.ts";
import { bounce, emailEvent } from "#tests/support/pool/email-event.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshStorageForEachTest();

const DAY = 24 * 3_600_000;
const done = { done: [0], retried: [], allRetried: false };

const logged = () => log.map((line) => JSON.parse(line)).filter(({ event }) => /^email-events?-/.test(event));

describe("a message that is no event of this site is done, and changes nothing", () => {
  const complaint = emailEvent("complained", ADA);
  const { source, payload, metadata } = complaint;
  const of = (change: object) => ({ ...complaint, payload: { ...payload, ...change } });
  test.each<[string, unknown, string]>([
    ["nothing", null, "unreadable"],
    ["a text", "cf.email.sending.message.complained", "unreadable"],
    ["a number", 7, "unreadable"],
    ["a list", [complaint], "unreadable"],
    ["bytes", new Uint8Array([1, 2, 3]), "unreadable"],
    ["an empty object", {}, "unreadable"],
    ["128 KB of text", "x".repeat(128_000), "unreadable"],
    ["an event without a payload", { ...complaint, payload: undefined }, "unreadable"],
    ["an event without a time", { ...complaint, metadata: {} }, "unreadable"],
    ["a time that is none", { ...complaint, metadata: { eventTimestamp: "soon" } }, "unreadable"],
    ["an id that is none", of({ eventId: "a b" }), "unreadable"],
    ["an id of 128 KB", of({ eventId: "x".repeat(128_000) }), "unreadable"],
    ["recipients in a list", of({ recipient: [ADA] }), "unreadable"],
    ["an event of another product", { ...complaint, source: { type: "kv" } }, "unreadable"],
    ["an unknown event", emailEvent("unsubscribed", ADA), "ignored"],
    ["an event of another name", { ...complaint, type: "message.complained" }, "ignored"],
    ["an email of another site in the account", of({ sender: "shop@waitlist-site.example" }), "ignored"],
    [
      "an email of another account and domain",
      {
        ...of({ sender: "pioneers@elsewhere.example" }),
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

test.each([
  [1, 300],
  [2, 600],
  [8, 38_400],
  [9, 43_200],
  [20, 43_200],
])("if the database fails, the message is retried: after attempt %d, in %d seconds", async (attempts, delay) => {
  await welcomed();
  const event = emailEvent("complained", ADA);
  const before = await database();
  const broken = await deliver([event], { overrides: { DB: brokenD1 }, attempts });
  expect(broken).toEqual({ done: [], retried: [[0, delay]], allRetried: false });
  expect(await database()).toEqual(before);
  expect(await deliver([event])).toEqual(done);
  expect(await rows("suppressions")).toHaveLength(1);
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
