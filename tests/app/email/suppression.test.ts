import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { keyedHash } from "#app/server/address-hash.server.ts";
import { ownerEmailUpsert } from "#app/server/db/enqueue-email.server.ts";
import type { SuppressionReason } from "#app/server/db/schema/email.server.ts";
import { findSuppressed, suppress, unsuppress } from "#app/server/db/suppressions.server.ts";
import { ownerId } from "#app/server/owners.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { eraseEntry } from "#app/waitlist/erase-entries.server.ts";
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

test.each([
  ["hard-bounce", "address-refused"],
  ["soft-bounces", "soft-bounces"],
  ["complaint", "complaint"],
  ["never", "never"],
  ["blocked", "blocked"],
] as const)(
  "an address suppressed because of %s is sent nothing: its email becomes dead with the reason, and others are sent",
  async (reason, code) => {
    const outbox = await suppressed(reason);
    for (const name of ["ada", "bob", "cyd"]) await outbox.join(`${name}@example.com`);
    expect(await outbox.sweep()).toEqual({ sent: 2, failed: 0, dead: 1 });
    expect(outbox.accepted.toSorted()).toEqual(["bob@example.com", "cyd@example.com"]);
    const [ada, bob] = await rows("email_outbox");
    expect(ada).toMatchObject({ sent_at: null, dead_at: outbox.clock.now, reason: code, leased_until: 0 });
    expect(bob).toMatchObject({ sent_at: outbox.clock.now, dead_at: null, reason: null });
    expect(log.filter((line) => line.includes("@"))).toEqual([]);
    // It stays suppressed when its entry is erased and added again.
    await eraseEntry(outbox.db, 1, outbox.clock.now);
    await outbox.join(ADA);
    expect(await outbox.sweep()).toEqual({ sent: 0, failed: 0, dead: 1 });
  },
);

test("the list names no one: it holds hashes that only HASH_KEY can make", async () => {
  await suppressed("complaint");
  const [row] = await rows<{ address_hash: string }>("suppressions");
  expect(row).toMatchObject({ address_hash: await hashOf(ADA) });
  expect(await keyedHash("address:v1", ADA, "another-key-another-key-another-key")).not.toBe(row?.address_hash);
  expect(await keyedHash("mailbox:v1", ADA, env.HASH_KEY)).not.toBe(row?.address_hash);
});

test("checking costs one statement per batch; it and the search for the email of a sign-up are by index", async () => {
  const meter = meteredD1();
  const outbox = outboxHarness({ d1: meter.d1 });
  for (let n = 0; n < 10; n += 1) await outbox.join(`ada${n}@example.com`);
  const [requeue] = meter.matching(/^update "email_outbox"/);
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
  for (let repetition = 0; repetition < 3; repetition += 1) {
    expect(await outbox.join(ADA)).toEqual({ kind: "listed" });
    await outbox.sweep();
  }
  expect(outbox.accepted).toEqual([ADA]);
  const [after] = await rows("email_outbox");
  expect(after).toMatchObject({ sent_at: outbox.clock.now, reason: null });
  // To the provider it is a new email.
  expect(after?.["id"]).not.toBe(before?.["id"]);
});

test("the rejoin email of a suppressed person is sent after the suppression, on a new sign-up", async () => {
  const outbox = await suppressed("hard-bounce");
  await outbox.join(ADA);
  await unsubscribeEntry(outbox.db, 1, outbox.clock.now);
  await outbox.join(ADA);
  expect(await outbox.sweep()).toMatchObject({ dead: 1 });
  outbox.clock.now += WEEK;
  expect(await outbox.sweep()).toEqual({ sent: 0, failed: 0, dead: 0 });
  await outbox.join(ADA);
  expect(await outbox.sweep()).toMatchObject({ sent: 1 });
  outbox.clock.now += WEEK;
  await outbox.join(ADA);
  expect(await outbox.sweep()).toMatchObject({ sent: 0 });
});

test("a complaint never ends by itself, however often the address is entered", async () => {
  const outbox = await suppressed("complaint");
  for (let year = 0; year < 3; year += 1) {
    await outbox.join(ADA);
    await outbox.sweep();
    outbox.clock.now += 365 * DAY;
  }
  expect(outbox.accepted).toEqual([]);
  expect(await unsuppress(outbox.db, await hashOf(ADA))).toBe("complaint");
  expect(await unsuppress(outbox.db, await hashOf(ADA))).toBeNull();
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
