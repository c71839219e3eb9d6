import { expect, test } from "vitest";
import { brokenD1, meteredD1 } from "#tests/support/pool/d1.ts";
import { ADA, BOB, database, deliver, welcomed } from "#tests/support/pool/deliver-messages.ts";
import { bounce, emailEvent } from "#tests/support/pool/email-event.ts";
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

test.each([
  [1, 300],
  [2, 600],
  [8, 38_400],
  [9, 43_200],
  [20, 43_200],
])("if the database fails, the message is retried: after attempt %d, in %d seconds", async (attempts, delay) => {
  await welcomed();
  const before = await database();
  const broken = await deliver([complaint], { overrides: { DB: brokenD1 }, attempts });
  expect(broken).toEqual({ done: [], retried: [[0, delay]], allRetried: false });
  expect(await database()).toEqual(before);
  expect(await deliver([complaint])).toEqual(done);
  expect(await rows("suppressions")).toHaveLength(1);
});

test("if the configuration is invalid, the whole batch is retried", async () => {
  await welcomed();
  const overrides = { SITE_URL: `ada@example.com` };
  expect(await deliver([null, complaint], { overrides })).toMatchObject({ done: [], allRetried: 900 });
  expect(await rows("suppressions")).toEqual([]);
  expect(log.filter((line) => line.includes("@"))).toEqual([]);
});
