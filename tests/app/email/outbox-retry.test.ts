import { expect, test } from "vitest";
import { requeueDead, requeueWelcome } from "#app/email/requeue.server.ts";
import { emailReasons } from "#app/server/db/email-reasons.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { outboxHarness, ownerHarness } from "#tests/support/pool/emails.ts";
import { execute, freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";
import { words } from "#tests/support/words.ts";

const MAX_RESENDS = 3;

freshDatabaseForEachTest();

test("requeues dead emails under their old ids and leaves waiting emails alone", async () => {
  const harness = ownerHarness();
  for (const name of ["ada", "bob"]) await harness.join(`${name}@example.com`);
  await harness.markDead(1, "timed-out");
  const ids = (await rows("email_outbox")).map(({ id }) => id);
  expect(await requeueDead(harness.db, harness.clock.now)).toBe(1);
  expect(await requeueDead(harness.db, harness.clock.now)).toBe(0);
  expect((await rows("email_outbox")).map(({ id, dead_at }) => [id, dead_at])).toEqual(ids.map((id) => [id, null]));
  expect(await harness.sweep()).toMatchObject({ sent: 2 });
});

test("of dead emails with every reason, those whose address gets no email stay; those that may have arrived are requeued by themselves, as new emails", async () => {
  const reasons = [...Object.keys(emailReasons), null];
  const forGood = words("address-refused soft-bounces complaint never blocked international-address example-address");
  const outbox = outboxHarness();
  for (const [index, reason] of reasons.entries()) {
    await outbox.join(`person${index}@example.com`);
    const dead =
      "UPDATE email_outbox SET dead_at = 1, attempts = 10, first_attempt_at = 1, reason = ? WHERE entry_id = ?";
    await execute(dead, reason, index + 1);
  }
  const stored = () => rows<{ id: string; dead_at: number | null; reason: string | null }>("email_outbox");
  const before = await stored();
  const dead = async () => (await stored()).flatMap(({ dead_at, reason }) => (dead_at === null ? [] : [reason]));
  const renewed = async () => (await stored()).filter(({ id }) => !before.some((email) => email.id === id));
  expect(await requeueDead(outbox.db, outbox.clock.now)).toBe(reasons.length - forGood.length - 1);
  expect((await dead()).toSorted()).toEqual([...forGood, "outcome-unknown"].toSorted());
  expect(await renewed()).toEqual([]);
  expect(await requeueDead(outbox.db, outbox.clock.now, "outcome-unknown")).toBe(1);
  expect((await dead()).toSorted()).toEqual(forGood.toSorted());
  const id = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  expect(await renewed()).toMatchObject([{ reason: "outcome-unknown", attempts: 0, first_attempt_at: null, id }]);
});

test("a requeued welcome gets a new id if it was sent, and keeps its id otherwise", async () => {
  const outbox = outboxHarness();
  await outbox.join("ada@example.com");
  const currentId = async () => (await rows("email_outbox"))[0]?.["id"];
  const first = await currentId();
  expect(await requeueWelcome(outbox.db, 1, outbox.clock.now)).toBe("queued");
  expect(await currentId()).toBe(first);
  await outbox.claim();
  expect(await requeueWelcome(outbox.db, 1, outbox.clock.now)).toBe("unchanged");
  outbox.clock.now += 10 * 60_000;
  await outbox.sweep();
  expect(await requeueWelcome(outbox.db, 1, outbox.clock.now)).toBe("queued");
  expect(await currentId()).not.toBe(first);
  await outbox.sweep();
  expect(outbox.accepted).toEqual(["ada@example.com", "ada@example.com"]);
});

test("requeues nothing for unsubscribed or erased people", async () => {
  const outbox = outboxHarness();
  for (const name of ["ada", "bob"]) await outbox.join(`${name}@example.com`);
  await unsubscribeEntry(outbox.db, 1, outbox.clock.now);
  await eraseEntry(outbox.db, 2, outbox.clock.now);
  for (const id of [1, 2, 3]) expect(await requeueWelcome(outbox.db, id, outbox.clock.now)).toBe("unchanged");
  expect(await rows("email_outbox")).toEqual([]);
});

test("the welcome is sent again by hand at most three times in 24 hours, even by concurrent requests", async () => {
  const outbox = outboxHarness();
  for (const name of ["ada", "bob"]) await outbox.join(`${name}@example.com`);
  await outbox.sweep();
  const resend = async (id = 1) => {
    const requeued = await requeueWelcome(outbox.db, id, outbox.clock.now);
    await outbox.sweep();
    return requeued;
  };
  expect([await resend(), await resend()]).toEqual(["queued", "queued"]);
  outbox.clock.now += 60_000;
  const concurrent = Array.from({ length: 4 }, () => requeueWelcome(outbox.db, 1, outbox.clock.now));
  expect((await Promise.all(concurrent)).toSorted()).toEqual(["limit", "limit", "limit", "queued"]);
  await outbox.sweep();
  expect(outbox.accepted.filter((to) => to === "ada@example.com")).toHaveLength(1 + MAX_RESENDS);
  expect(await resend(2)).toBe("queued");

  outbox.clock.now += 24 * 3_600_000 - 60_000 - 1;
  expect(await resend()).toBe("limit");
  outbox.clock.now += 1;
  expect([await resend(), await resend(), await resend()]).toEqual(["queued", "queued", "limit"]);
  expect((await rows("email_outbox"))[0]?.["data"]).not.toContain("@");
});
