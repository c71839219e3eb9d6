import { describe, expect, test } from "vitest";
import { rejoinEntry, unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { outboxHarness, sendAll } from "#tests/support/pool/emails.ts";
import { db, freshDatabaseForEachTest, refuseInserts, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const DAY = 24 * 3_600_000;
const NOON = Date.UTC(2026, 10, 21, 12);
const join = (email: string, now = NOON) => addEntry(db, { email, source: "landing_page", columns: {}, now });
const kinds = async () => (await rows("email_outbox")).map(({ kind }) => kind);

test("of concurrent sign-ups of one address exactly one adds it, with one email", async () => {
  const added = await Promise.all(Array.from({ length: 8 }, () => join("ada@example.com")));
  expect(added.map(({ kind }) => kind).toSorted()).toEqual([...Array(7).fill("listed"), "new"]);
  expect(await rows("waitlist_emails")).toHaveLength(1);
  expect(await kinds()).toEqual(["welcome"]);
});

test("the rejoin email is queued once per departure, however long ago that was", async () => {
  const outbox = outboxHarness();
  await outbox.join("ada@example.com");
  await outbox.sweep();
  await unsubscribeEntry(db, 1, outbox.clock.now);
  const rejoinEmails = async () => {
    await outbox.join("ada@example.com");
    return (await sendAll(outbox.deps)).sent;
  };
  expect([await rejoinEmails(), await rejoinEmails()]).toEqual([1, 0]);
  outbox.clock.now += 300 * DAY;
  expect(await rejoinEmails()).toBe(0);
  await rejoinEntry(db, 1, outbox.clock.now);
  await unsubscribeEntry(db, 1, outbox.clock.now);
  expect([await rejoinEmails(), await rejoinEmails()]).toEqual([1, 0]);
  expect(await kinds()).toEqual(["welcome", "rejoin"]);
});

test("rejoining queues the welcome email only if none was sent", async () => {
  const outbox = outboxHarness();
  for (const name of ["ada", "bob"]) await outbox.join(`${name}@example.com`);
  await unsubscribeEntry(db, 2, outbox.clock.now);
  await outbox.sweep();
  await unsubscribeEntry(db, 1, outbox.clock.now);
  for (const id of [1, 2]) expect(await rejoinEntry(db, id, outbox.clock.now)).toBe(true);
  for (const id of [1, 2, 3]) expect(await rejoinEntry(db, id, outbox.clock.now)).toBe(false);
  expect(await rows("email_outbox")).toMatchObject([
    { entry_id: 1, kind: "welcome", done_at: outbox.clock.now },
    { entry_id: 2, kind: "welcome", done_at: null },
  ]);
});

describe("erased entries", () => {
  test("count once, even if they are erased concurrently", async () => {
    await join("ada@example.com");
    const erased = await Promise.all(Array.from({ length: 5 }, () => eraseEntry(db, 1, NOON)));
    expect(erased.filter(Boolean)).toHaveLength(1);
    expect(await eraseEntry(db, 99, NOON)).toBe(false);
    expect(await rows("erased_totals")).toEqual([{ day: "2026-11-21", count: 1 }]);
  });

  test("are kept, and not counted, if the total cannot be written", async () => {
    await join("ada@example.com");
    await refuseInserts("erased_totals");
    await expect(eraseEntry(db, 1, NOON)).rejects.toThrow();
    expect(await rows("waitlist_emails")).toHaveLength(1);
  });
});
