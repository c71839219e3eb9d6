import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { requeueDead } from "#app/email/requeue.server.ts";
import { ownerEmailUpsert } from "#app/server/db/enqueue-email.server.ts";
import type { SuppressionReason } from "#app/server/db/schema/email.server.ts";
import { findSuppressed, suppress, unsuppress } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { ownerId } from "#app/server/owners.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { OWNER, outboxHarness } from "#tests/support/pool/emails.ts";
import { explain, freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshDatabaseForEachTest();

const ADA = "ada@example.com";
const DAY = 24 * 3_600_000;
const WEEK = 7 * DAY;

const hashOf = (email: string) => keyedHash("address:v1", email, env.HASH_KEY);

/** An outbox with a recorder of what was sent, and a suppressed address. */
async function suppressed(reason: SuppressionReason, address = ADA) {
  const outbox = outboxHarness();
  const until = reason === "hard-bounce" || reason === "soft-bounces" ? outbox.clock.now + WEEK : null;
  await suppress(outbox.db, { hashes: [await hashOf(address)], reason, until }, outbox.clock.now);
  return outbox;
}

test.each<SuppressionReason>(["hard-bounce", "soft-bounces", "complaint", "never", "blocked"])(
  "an address suppressed because of %s is sent nothing: its email becomes dead with the reason, and others are sent",
  async (reason) => {
    const code = reason === "hard-bounce" ? "address-refused" : reason;
    const outbox = await suppressed(reason);
    for (const name of ["ada", "bob", "cyd"]) await outbox.join(`${name}@example.com`);
    expect(await outbox.sweep()).toEqual({ sent: 2, failed: 0, dead: 1 });
    expect(outbox.accepted.toSorted()).toEqual(["bob@example.com", "cyd@example.com"]);
    const [ada, bob] = await rows("email_outbox");
    expect(ada).toMatchObject({ done_at: null, dead_at: outbox.clock.now, reason: code, leased_until: 0 });
    expect(bob).toMatchObject({ done_at: outbox.clock.now, dead_at: null, reason: null });
    expect(log.filter((line) => line.includes("@"))).toEqual([]);
    // It stays suppressed when its entry is erased and added again.
    await eraseEntry(outbox.db, 1, outbox.clock.now);
    await outbox.join(ADA);
    expect(await outbox.sweep()).toEqual({ sent: 0, failed: 0, dead: 1 });
  },
);

test("the list names no one: it holds hashes that only HASH_KEY can make", async () => {
  await suppressed("complaint");
  const others = [keyedHash("address:v1", ADA, "another-key".repeat(3)), keyedHash("mailbox:v1", ADA, env.HASH_KEY)];
  const hash = await hashOf(ADA);
  expect(await rows("suppressions")).toMatchObject([{ address_hash: hash }]);
  expect(await Promise.all(others)).not.toContain(hash);
});

test("checking costs one statement per batch; it and the search for the email of a sign-up are by index", async () => {
  const meter = meteredD1();
  const outbox = outboxHarness({ d1: meter.d1 });
  for (let n = 0; n < 10; n += 1) await outbox.join(`ada${n}@example.com`);
  const [requeue] = meter.matching(/UPDATE email_outbox SET id/);
  expect(requeue && (await explain(requeue))[0]).toMatch(/^SEARCH email_outbox USING INDEX .*dedupe_key=/);
  meter.reset();
  await outbox.sweep();
  const [check, ...others] = meter.matching(/FROM "?suppressions/i);
  expect(others).toEqual([]);
  expect(check && (await explain(check))[0]).toMatch(/^SEARCH suppressions USING INDEX .*address_hash/);
  expect(check?.toSQL().params).not.toContain("ada0@example.com");
});

test("the owner is exempt, even where the owner's address is suppressed", async () => {
  const outbox = outboxHarness({ ownerEmail: OWNER });
  await suppress(outbox.db, { hashes: [await hashOf(OWNER)], reason: "complaint", until: null }, 0);
  const data = { since: 0, dead: 1, reasons: [], blocked: null };
  await ownerEmailUpsert(outbox.db, "alert", [{ id: "alert", ownerId: await ownerId(OWNER), data }], undefined, 1);
  await outbox.join(OWNER);
  await outbox.sweep();
  expect(outbox.accepted).toEqual([OWNER, OWNER]);
});

test("a bounce ends after 7 days: then a new sign-up of the listed address queues one email again, and not before", async () => {
  const outbox = await suppressed("hard-bounce");
  await outbox.join(ADA);
  await outbox.sweep();
  for (const wait of [0, DAY, 5 * DAY, DAY - 1]) {
    outbox.clock.now += wait;
    expect(await outbox.join(ADA)).toEqual({ kind: "listed" });
    expect(await outbox.sweep()).toEqual({ sent: 0, failed: 0, dead: 0 });
  }
  const [before] = await rows("email_outbox");
  outbox.clock.now += 1;
  expect(await outbox.sweep()).toEqual({ sent: 0, failed: 0, dead: 0 });
  for (let repetition = 0; repetition < 3; repetition += 1) {
    expect(await outbox.join(ADA)).toEqual({ kind: "listed" });
    await outbox.sweep();
  }
  expect(outbox.accepted).toEqual([ADA]);
  const [after] = await rows("email_outbox");
  expect(after).toMatchObject({ done_at: outbox.clock.now, reason: null });
  // To the provider it is a new email.
  expect(after?.["id"]).not.toBe(before?.["id"]);
});

test("the rejoin email of a suppressed person is sent after the suppression, on a new sign-up", async () => {
  const outbox = await suppressed("hard-bounce");
  await outbox.join(ADA);
  await unsubscribeEntry(outbox.db, 1, outbox.clock.now);
  for (const outcome of [{ dead: 1 }, { sent: 1 }, { sent: 0 }]) {
    await outbox.join(ADA);
    expect(await outbox.sweep()).toMatchObject(outcome);
    outbox.clock.now += WEEK;
  }
});

test("a complaint never ends by itself, however often the address is entered", async () => {
  const outbox = await suppressed("complaint");
  for (let year = 0; year < 3; year += 1) {
    await outbox.join(ADA);
    await outbox.sweep();
    outbox.clock.now += 365 * DAY;
  }
  expect(outbox.accepted).toEqual([]);
  for (const lifted of ["complaint", null]) expect(await unsuppress(outbox.db, await hashOf(ADA))).toBe(lifted);
  await outbox.join(ADA);
  await outbox.sweep();
  expect(outbox.accepted).toEqual([ADA]);
});

test("a longer suppression replaces a shorter one, and never the other way round", async () => {
  const { db, clock } = outboxHarness();
  const hash = await hashOf(ADA);
  const { now } = clock;
  const steps = [
    ["soft-bounces", now + 5, "soft-bounces"],
    ["hard-bounce", now + 9, "hard-bounce"],
    ["soft-bounces", now + 7, "hard-bounce"],
    ["complaint", null, "complaint"],
    ["hard-bounce", now + WEEK, "complaint"],
    ["never", null, "complaint"],
  ] as const;
  for (const [reason, until, expected] of steps) {
    await suppress(db, { hashes: [hash], reason, until }, now);
    expect((await findSuppressed(db, [hash], now)).get(hash)?.reason).toBe(expected);
  }
});

describe("Cloudflare's own list", () => {
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
    const listed = { address_hash: await hashOf(ADA), reason, until: lasts && now + lasts };
    expect(await rows("suppressions")).toMatchObject([listed]);
    expect(await rows("email_outbox")).toMatchObject([{ reason: code, dead_at: now, next_attempt_at: now + next }]);
  });

  test.each([
    ...["", "Recipient is suppressed"],
    ...["soft_bounce", "policy"].map((reason) => `Recipient is suppressed: ${reason}`),
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
});
