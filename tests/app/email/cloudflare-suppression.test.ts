import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { requeueDead } from "#app/email/requeue.server.ts";
import { keyedHash } from "#app/server/address-hash.server.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { outboxHarness } from "#tests/support/pool/emails.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshDatabaseForEachTest();

const ADA = "ada@example.com";
const DAY = 24 * 3_600_000;
const WEEK = 7 * DAY;

/** A queued email, and the message of Cloudflare's error for its recipient. */
async function refused(suppression: string, d1 = env.DB) {
  const outbox = outboxHarness({ account: { suppressed: [ADA], suppression }, d1 });
  await outbox.join(ADA);
  return outbox;
}

test.each([
  ["Recipient is suppressed: hard_bounce", "hard-bounce", "address-refused", WEEK, WEEK],
  ["Recipient suppressed due to a hard bounce.", "hard-bounce", "address-refused", WEEK, WEEK],
  ["Recipient is suppressed: complaint", "complaint", "complaint", null, DAY],
  ["Recipient has a manual suppression", "blocked", "blocked", null, DAY],
])("%j: dead, and suppressed here as %s", async (message, reason, code, lasts, next) => {
  const outbox = await refused(message);
  const { now } = outbox.clock;
  expect(await outbox.sweep()).toEqual({ sent: 0, failed: 0, dead: 1 });
  const address_hash = await keyedHash("address:v1", ADA, env.HASH_KEY);
  expect(await rows("suppressions")).toMatchObject([{ address_hash, reason, until: lasts && now + lasts }]);
  expect(await rows("email_outbox")).toMatchObject([{ reason: code, dead_at: now, next_attempt_at: now + next }]);
});

test.each([
  "",
  "Recipient is suppressed",
  "Recipient is suppressed: soft_bounce",
  "Recipient is suppressed: policy",
  "Email address has had a hard bounce, or a complaint",
  "Recipient is suppressed, see the manual for hard_bounce",
  "Addresses are suppressed manually, or after complaints or bounces",
  "complaint@example.com is suppressed",
  "Recipient <manual@hard-bounce.example> is suppressed",
])("%j: waits for a day, and nothing is remembered", async (message) => {
  const outbox = await refused(message);
  const { now } = outbox.clock;
  expect(await outbox.sweep()).toEqual({ sent: 0, failed: 1, dead: 0 });
  expect(await rows("suppressions")).toEqual([]);
  const waiting = { reason: "refused-for-now", dead_at: null, next_attempt_at: now + DAY, attempts: 0 };
  expect(await rows("email_outbox")).toMatchObject([waiting]);
});

test("the recipient is tried once a day for three days; then a new sign-up or the owner queues the email again", async () => {
  const outbox = await refused("Recipient is suppressed");
  for (let day = 0; day < 3; day += 1) {
    expect(await outbox.sweep()).toEqual({ sent: 0, failed: 1, dead: 0 });
    outbox.clock.now += DAY - 1;
    expect(await outbox.sweep()).toEqual({ sent: 0, failed: 0, dead: 0 });
    outbox.clock.now += 1;
  }
  expect(await outbox.sweep()).toEqual({ sent: 0, failed: 0, dead: 1 });
  outbox.clock.now += 1;
  await outbox.join(ADA);
  expect(await outbox.sweep()).toEqual({ sent: 0, failed: 1, dead: 0 });
  await env.DB.exec("UPDATE email_outbox SET dead_at = 1");
  expect(await requeueDead(outbox.db, outbox.clock.now)).toBe(1);
});

test("the email is recorded as dead even if the suppression cannot be written", async () => {
  const { d1 } = meteredD1((sql) => {
    if (/^insert into "suppressions"/i.test(sql)) throw new Error("D1_ERROR: Network connection lost");
  });
  const outbox = await refused("Recipient is suppressed: complaint", d1);
  expect(await outbox.sweep()).toEqual({ sent: 0, failed: 0, dead: 1 });
  expect(await rows("email_outbox")).toMatchObject([{ reason: "complaint" }]);
  expect(log.join()).toContain("suppress-failed");
});
