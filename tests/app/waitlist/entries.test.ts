import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { sweepOutbox } from "#app/email/deliver.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { rejoinEntry, unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { eraseEntry, eraseExpired } from "#app/waitlist/erase-entries.server.ts";
import { brokenD1 } from "#tests/support/pool/broken-d1.ts";
import { freshDatabaseForEachTest, refuseInserts, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { outboxHarness } from "#tests/support/pool/outbox-harness.ts";

freshDatabaseForEachTest();
captureLog();

const DAY = 24 * 3_600_000;
const NOON = Date.UTC(2026, 10, 21, 12);
const db = openDb(env.DB);

const join = (email: string, now = NOON) => addEntry(db, { email, source: "landing_page", columns: {}, now });
const kinds = async () => (await rows("email_outbox")).map(({ kind }) => kind);

test("of concurrent sign-ups of one address exactly one adds it, with one email", async () => {
  const added = await Promise.all(Array.from({ length: 8 }, () => join("ada@example.com")));
  expect(added.map(({ kind }) => kind).toSorted()).toEqual([...Array(7).fill("listed"), "new"]);
  expect(await rows("waitlist_emails")).toHaveLength(1);
  expect(await kinds()).toEqual(["welcome"]);
});

test("tells new, listed and unsubscribed addresses apart", async () => {
  expect(await join("ada@example.com")).toEqual({ kind: "new", id: 1, emailId: expect.any(String) });
  expect(await join("bob@example.com")).toEqual({ kind: "new", id: 2, emailId: expect.any(String) });
  await unsubscribeEntry(db, 1, NOON);
  expect(await join("ada@example.com")).toEqual({ kind: "unsubscribed", id: 1, emailId: expect.any(String) });
  expect(await join("bob@example.com")).toEqual({ kind: "listed" });
});

test.each(["welcome", "confirm", "rejoin"])("names the %s email that it queued", async (kind) => {
  const mustConfirm = kind === "confirm";
  const signUp = () => addEntry(db, { email: "ada@example.com", source: "stall", columns: {}, now: NOON, mustConfirm });
  if (kind === "rejoin") {
    await signUp();
    await unsubscribeEntry(db, 1, NOON);
  }
  const added = await signUp();
  expect(await rows("email_outbox")).toMatchObject([{ kind, id: "emailId" in added && added.emailId }]);
});

test("a database failure is thrown", async () => {
  const adding = addEntry(openDb(brokenD1), { email: "a@b.example", source: "x", columns: {}, now: NOON });
  await expect(adding).rejects.toThrow();
});

describe("the rejoin email", () => {
  test("is queued once per departure, however long ago that was", async () => {
    const outbox = outboxHarness();
    await outbox.join("ada@example.com");
    await outbox.sweep();
    await unsubscribeEntry(db, 1, outbox.clock.now);
    const rejoinEmails = async () => {
      await outbox.join("ada@example.com");
      return (await sweepOutbox(outbox.deps)).sent;
    };
    expect([await rejoinEmails(), await rejoinEmails()]).toEqual([1, 0]);
    outbox.clock.now += 300 * DAY;
    expect(await rejoinEmails()).toBe(0);
    await rejoinEntry(db, 1, outbox.clock.now);
    await unsubscribeEntry(db, 1, outbox.clock.now);
    expect([await rejoinEmails(), await rejoinEmails()]).toEqual([1, 0]);
    expect(await kinds()).toEqual(["welcome", "rejoin"]);
  });

  test("of concurrent sign-ups queues one", async () => {
    await join("ada@example.com");
    await unsubscribeEntry(db, 1, NOON);
    await Promise.all(Array.from({ length: 8 }, () => join("ada@example.com")));
    expect(await kinds()).toEqual(["rejoin"]);
  });
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
    { entry_id: 1, kind: "welcome", sent_at: outbox.clock.now },
    { entry_id: 2, kind: "welcome", sent_at: null },
  ]);
});

describe("erased entries", () => {
  test("leave nothing but one more in the day's total", async () => {
    for (const name of ["ada", "bob", "cyd"]) await join(`${name}@example.com`);
    expect(await eraseEntry(db, 1, NOON)).toBe(true);
    expect(await eraseEntry(db, 2, NOON)).toBe(true);
    expect(await eraseEntry(db, 3, NOON + DAY)).toBe(true);
    expect(await rows("erased_totals")).toEqual([
      { day: "2026-11-21", count: 2 },
      { day: "2026-11-22", count: 1 },
    ]);
    expect(await rows("waitlist_emails")).toEqual([]);
    expect(await rows("email_outbox")).toEqual([]);
  });

  test("count once, even if they are erased concurrently", async () => {
    await join("ada@example.com");
    const erased = await Promise.all(Array.from({ length: 5 }, () => eraseEntry(db, 1, NOON)));
    expect(erased.filter(Boolean)).toHaveLength(1);
    expect(await eraseEntry(db, 99, NOON)).toBe(false);
    expect(await rows("erased_totals")).toEqual([{ day: "2026-11-21", count: 1 }]);
  });

  test("count without their emails when they expire, and not at all if none has", async () => {
    const expired = Date.UTC(2024, 10, 21, 11);
    expect(await eraseExpired(db, NOON)).toBe(0);
    expect(await rows("erased_totals")).toEqual([]);
    for (const name of ["ada", "bob"]) await join(`${name}@example.com`, expired);
    await join("cyd@example.com");
    expect(await eraseExpired(db, NOON)).toBe(2);
    expect(await eraseExpired(db, NOON)).toBe(0);
    expect(await rows("erased_totals")).toEqual([{ day: "2026-11-21", count: 2 }]);
    expect(await rows("waitlist_emails")).toMatchObject([{ email: "cyd@example.com" }]);
  });

  test("are kept, and not counted, if the total cannot be written", async () => {
    await join("ada@example.com");
    await refuseInserts("erased_totals");
    await expect(eraseEntry(db, 1, NOON)).rejects.toThrow();
    expect(await rows("waitlist_emails")).toHaveLength(1);
  });
});
