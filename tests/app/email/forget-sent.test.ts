import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { forgetSentEmails } from "#app/email/forget-sent.server.ts";
import { requeueWelcome } from "#app/email/requeue.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { listEntryEmails, rejoinEntry, unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { countEntries } from "#app/waitlist/filter/list-entries.server.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { db, execute, freshDatabaseForEachTest, join, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const DAY = 24 * 3_600_000;
const JOINED = Date.UTC(2026, 0, 5, 9);
/** Emails are sent a second after they were queued. */
async function sendAll(): Promise<void> {
  await env.DB.exec("UPDATE email_outbox SET done_at = created_at + 1000, leased_until = 0 WHERE done_at IS NULL");
}

const forget = (days: number) => forgetSentEmails(db, JOINED + days * DAY, 5_000);
const kinds = async () => (await rows("email_outbox")).map(({ kind }) => kind);
const welcomedAt = async () => (await rows("waitlist_emails")).map(({ welcomed_at }) => welcomed_at);

describe("a welcome email", () => {
  test("is deleted 90 days after it was sent, and its entry keeps the time", async () => {
    const id = await join("ada@example.com", { now: JOINED });
    await sendAll();
    expect(await forget(90)).toBe(0);
    expect(await welcomedAt()).toEqual([null]);
    expect(await forget(91)).toBe(1);
    expect(await kinds()).toEqual([]);
    expect(await welcomedAt()).toEqual([JOINED + 1000]);
    const welcome = { kind: "welcome", created_at: JOINED + 1000, done_at: JOINED + 1000 };
    expect(await listEntryEmails(db, id)).toEqual([welcome]);
    expect(await countEntries(db, { email: { state: "sent" } })).toBe(1);
  });

  test("is not sent again to people who leave and rejoin, or sign up again", async () => {
    const id = await join("ada@example.com", { now: JOINED });
    await sendAll();
    await forget(91);
    await addEntry(db, { email: "ada@example.com", source: "landing_page", columns: {}, now: JOINED + 92 * DAY });
    await unsubscribeEntry(db, id, JOINED + 93 * DAY);
    expect(await rejoinEntry(db, id, JOINED + 94 * DAY)).toBe(true);
    expect(await kinds()).toEqual([]);
  });

  test("is sent again when the owner asks for it, and its last time is kept", async () => {
    const id = await join("ada@example.com", { now: JOINED });
    await sendAll();
    await forget(91);
    expect(await requeueWelcome(db, id, JOINED + 100 * DAY)).toBe("queued");
    await sendAll();
    expect(await listEntryEmails(db, id)).toHaveLength(2);
    await forget(191);
    expect(await welcomedAt()).toEqual([JOINED + 100 * DAY + 1000]);
  });

  test.each(["done_at = NULL", "done_at = NULL, dead_at = 1, reason = 'address-refused'"])(
    "stays with %s",
    async (state) => {
      await join("ada@example.com", { now: JOINED });
      await env.DB.exec(`UPDATE email_outbox SET ${state}`);
      await forget(200);
      expect(await kinds()).toEqual(["welcome"]);
      expect(await welcomedAt()).toEqual([null]);
    },
  );
});

test("a former subscriber is asked once about rejoining, however long ago", async () => {
  const id = await join("ada@example.com", { now: JOINED });
  await sendAll();
  await unsubscribeEntry(db, id, JOINED + DAY);
  const signUp = (days: number) =>
    addEntry(db, { email: "ada@example.com", source: "landing_page", columns: {}, now: JOINED + days * DAY });
  await signUp(2);
  await sendAll();
  await forget(200);
  await signUp(201);
  expect(await rows("email_outbox")).toMatchObject([{ kind: "rejoin", done_at: JOINED + 2 * DAY + 1000 }]);
});

test("emails to an owner stay", async () => {
  await execute(`INSERT INTO email_outbox (id, owner_id, kind, dedupe_key, priority, next_attempt_at, created_at, done_at)
    VALUES ('1', 'owner', 'digest', 'digest:owner', 2, 0, 0, 1)`);
  await forget(200);
  expect(await kinds()).toEqual(["digest"]);
});

test("at most a hundred are deleted at a time on the free plan, the oldest first, for two rows written each", async () => {
  await execute(`WITH RECURSIVE person(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM person WHERE n < 130)
    INSERT INTO waitlist_emails (email, metadata, created_at) SELECT n || '@example.com', '{}', n FROM person`);
  await execute(`INSERT INTO email_outbox (id, entry_id, kind, dedupe_key, priority, next_attempt_at, created_at, done_at)
    SELECT id, id, 'welcome', 'welcome:' || id, 1, 0, 0, 1000 - id FROM waitlist_emails`);
  const { d1, rowsWritten } = meteredD1();
  expect(await forgetSentEmails(openDb(d1), JOINED, 100)).toBe(100);
  expect(rowsWritten()).toBe(200);
  expect((await rows<{ entry_id: number }>("email_outbox")).map(({ entry_id }) => entry_id)).toEqual(
    Array.from({ length: 30 }, (_, index) => index + 1),
  );
  expect(await forget(0)).toBe(30);
});
