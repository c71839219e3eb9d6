import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import type { Mailer } from "#app/email/mailer.server.ts";
import { countAffectedRows, rowsToWrite } from "#app/owner/entries/bulk/affected-rows.server.ts";
import { stopBulkAction } from "#app/owner/entries/bulk/bulk-actions.server.ts";
import { CHANGED_AT_ONCE } from "#app/owner/entries/bulk/run-chunks.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation.server.ts";
import { rejoinEntry, unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { join } from "#tests/support/pool/join.ts";
import { killedProcess } from "#tests/support/pool/killed-process.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { meteredD1 } from "#tests/support/pool/metered-d1.ts";
import { seedEntries } from "#tests/support/pool/seed-entries.ts";
import { finishBulk, runBulk, startUndo, startUnsubscribing } from "#tests/support/pool/unsubscribe-many.ts";

freshDatabaseForEachTest();
captureLog();

const db = openDb(env.DB);
const NOW = Date.UTC(2026, 10, 21, 12);
const DAY = 24 * 3_600_000;
const flood = { source: "landing_page" };

interface Row {
  email: string;
  status: string;
  unsubscribe_reason: string | null;
  bulk_action_id: number | null;
}

async function statuses(): Promise<Record<string, string>> {
  const entries = await rows<Row>("waitlist_emails");
  return Object.fromEntries(
    entries.map((entry) => [entry.email.split("@")[0], entry.unsubscribe_reason ?? entry.status]),
  );
}

async function count(status: string): Promise<number> {
  const sql = "SELECT count(*) AS count FROM waitlist_emails WHERE status = ?";
  return (await env.DB.prepare(sql).bind(status).first<number>("count")) ?? -1;
}

async function unsubscribeAll(selection = {}): Promise<number> {
  const id = await startUnsubscribing(selection, NOW);
  await finishBulk(id, NOW);
  return id;
}

describe("unsubscribing many entries", () => {
  test("unsubscribes those who are subscribed, deletes their waiting emails, and leaves others alone", async () => {
    await seedEntries(CHANGED_AT_ONCE + 7, NOW);
    await join("ada@example.com", { source: "stall" });
    await unsubscribeEntry(db, 3, NOW - DAY);
    await unsubscribeAll(flood);
    expect(await count("active")).toBe(1);
    expect(await rows("email_outbox")).toHaveLength(1);
    const entries = await rows<Row>("waitlist_emails");
    expect(entries.at(-1)).toMatchObject({ status: "active", bulk_action_id: null });
    expect(entries[2]).toMatchObject({ unsubscribe_reason: "own-choice", unsubscribed_at: NOW - DAY });
    expect(entries[3]).toMatchObject({ unsubscribe_reason: "owner", unsubscribed_at: NOW, bulk_action_id: 1 });
    expect(await rows("bulk_actions")).toMatchObject([
      { state: "done", kind: "unsubscribe", expected: CHANGED_AT_ONCE + 6, affected: CHANGED_AT_ONCE + 6 },
    ]);
  });

  test("keeps an email that is being sent, and the records of those that were sent", async () => {
    await seedEntries(3, NOW - DAY);
    await env.DB.prepare("UPDATE email_outbox SET leased_until = ? WHERE entry_id = 1")
      .bind(NOW + 60_000)
      .run();
    await env.DB.exec("UPDATE email_outbox SET sent_at = 1 WHERE entry_id = 2");
    await unsubscribeAll();
    expect((await rows<{ entry_id: number }>("email_outbox")).map(({ entry_id }) => entry_id)).toEqual([1, 2]);
  });

  test("leaves alone people who join after it was confirmed", async () => {
    await seedEntries(2, NOW);
    const id = await startUnsubscribing({}, NOW);
    await join("late@example.com");
    // So that fewer are left than were confirmed.
    await unsubscribeEntry(db, 2, NOW);
    await finishBulk(id, NOW);
    expect(await statuses()).toEqual({ person1: "owner", person2: "own-choice", late: "active" });
  });

  test("is stopped by its owner, and undone as far as it got", async () => {
    await seedEntries(CHANGED_AT_ONCE + 5, NOW);
    const id = await startUnsubscribing(flood, NOW);
    await runBulk(NOW, { plan: "free" });
    expect(await stopBulkAction(db, id, NOW)).toBe(true);
    await runBulk(NOW);
    expect(await count("unsubscribed")).toBe(CHANGED_AT_ONCE);
    await finishBulk(await startUndo(id, NOW), NOW);
    expect(await count("unsubscribed")).toBe(0);
    expect(await rows("bulk_actions")).toMatchObject([
      { state: "stopped", affected: CHANGED_AT_ONCE },
      { state: "done", kind: "undo", undoes: 1, affected: CHANGED_AT_ONCE },
    ]);
  });
});

describe("undoing it", () => {
  test("puts entries back as they were: their consent stays, and unconfirmed ones can still confirm", async () => {
    await join("ada@example.com", { mustConfirm: true });
    await join("bob@example.com");
    const before = await rows("waitlist_emails");
    const id = await unsubscribeAll();
    expect(await confirmEntry(db, 1, NOW)).toBe(null);
    await finishBulk(await startUndo(id, NOW + DAY), NOW + DAY);
    expect(await rows("waitlist_emails")).toEqual(before);
    expect(await confirmEntry(db, 1, NOW + DAY)).toBe("ada@example.com");
  });

  test("leaves alone who has left, or has come back, since", async () => {
    for (const name of ["left", "back", "again", "stays"]) await join(`${name}@example.com`);
    const id = await unsubscribeAll();
    await unsubscribeEntry(db, 1, NOW + 1);
    await rejoinEntry(db, 2, NOW + 1);
    await rejoinEntry(db, 3, NOW + 1);
    await unsubscribeEntry(db, 3, NOW + 2, "owner");
    const marks = (await rows<Row>("waitlist_emails")).map(({ bulk_action_id }) => bulk_action_id);
    expect(marks).toEqual([null, null, null, 1]);
    await finishBulk(await startUndo(id, NOW + DAY), NOW + DAY);
    expect(await statuses()).toEqual({ left: "own-choice", back: "active", again: "owner", stays: "active" });
    expect(await rows("bulk_actions")).toMatchObject([{ id: 1 }, { expected: 1, affected: 1 }]);
  });

  test("undoes one action only, and only once", async () => {
    await join("ada@example.com");
    await join("bob@example.com", { source: "stall" });
    const first = await unsubscribeAll(flood);
    const second = await unsubscribeAll({ source: "stall" });
    await finishBulk(await startUndo(second, NOW), NOW);
    expect(await statuses()).toEqual({ ada: "owner", bob: "active" });
    expect(await startUndo(second, NOW)).toBe(0);
    await finishBulk(await startUndo(first, NOW), NOW);
    expect(await statuses()).toEqual({ ada: "active", bob: "active" });
  });
});

describe("a run that is ended by the platform", () => {
  const mailer: Mailer = { keyLifetime: 0, send: async () => ({ state: "sent" }) };
  const steps = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((step) => [
    { step, when: "before" as const },
    { step, when: "after" as const },
  ]);
  const MANY = 2 * CHANGED_AT_ONCE + 1;

  test.each(steps)("$when step $step unsubscribes and puts back each entry once", async (kill) => {
    await seedEntries(MANY, NOW);
    const id = await startUnsubscribing(flood, NOW);
    const first = killedProcess(mailer, kill);
    await first.untilDead(runBulk(NOW, { d1: first.d1 }));
    expect(first.wasKilled()).toBe(true);
    await runBulk(NOW);
    expect(await count("unsubscribed")).toBe(MANY);
    const undo = await startUndo(id, NOW);
    const second = killedProcess(mailer, kill);
    await second.untilDead(runBulk(NOW, { d1: second.d1 }));
    await finishBulk(undo, NOW);
    expect(await count("active")).toBe(MANY);
    expect(await rows("bulk_actions")).toMatchObject([
      { state: "done", affected: MANY },
      { state: "done", affected: MANY },
    ]);
  });
});

describe("rows written", () => {
  test.each(["emails that wait", "emails that failed", "no emails", "a webhook that is told"])(
    "for entries with %s are as many as the page counts with, or fewer",
    async (state) => {
      await seedEntries(100, NOW);
      if (state === "emails that failed") await env.DB.exec("UPDATE email_outbox SET dead_at = 1, reason = 'rejected'");
      if (state === "a webhook that is told") {
        const events = '["entry.unsubscribed","entry.joined"]';
        await env.DB.exec(
          `INSERT INTO webhook_endpoints (url, events, created_at) VALUES ('https://a.example', '${events}', 1)`,
        );
      }
      if (state === "no emails") await env.DB.exec("DELETE FROM email_outbox");
      const toUnsubscribe = rowsToWrite("unsubscribe", await countAffectedRows(db, "unsubscribe", undefined));
      const id = await startUnsubscribing({}, NOW);
      const metered = meteredD1();
      await runBulk(NOW, { d1: metered.d1 });
      expect(metered.rowsWritten()).toBeLessThanOrEqual(toUnsubscribe);
      const toPutBack = rowsToWrite("undo", await countAffectedRows(db, "undo", undefined));
      await startUndo(id, NOW);
      metered.reset();
      await runBulk(NOW, { d1: metered.d1 });
      expect(await count("active")).toBe(100);
      expect(metered.rowsWritten()).toBeLessThanOrEqual(toPutBack);
    },
  );
});
