import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import type { Mailer } from "#app/email/mailer.server.ts";
import { countAffectedRows, rowsToWrite } from "#app/owner/entries/bulk/affected-rows.server.ts";
import { stopBulkAction } from "#app/owner/entries/bulk/bulk-actions.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation.server.ts";
import { killedProcess, meteredD1 } from "#tests/support/pool/d1.ts";
import { db, execute, freshDatabaseForEachTest, join, rows, seedEntries } from "#tests/support/pool/start.ts";
import { finishBulk, runBulk, startUndo, startUnsubscribing } from "#tests/support/pool/unsubscribe-many.ts";

freshDatabaseForEachTest();

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
  test("keeps an email that is being sent, and the records of those that were sent", async () => {
    await seedEntries(3, NOW - DAY);
    await execute("UPDATE email_outbox SET leased_until = ? WHERE entry_id = 1", NOW + 60_000);
    await env.DB.exec("UPDATE email_outbox SET sent_at = 1 WHERE entry_id = 2");
    await unsubscribeAll();
    expect((await rows<{ entry_id: number }>("email_outbox")).map(({ entry_id }) => entry_id)).toEqual([1, 2]);
  });

  test("is stopped by its owner, and undone as far as it got", async () => {
    await seedEntries(505, NOW);
    const id = await startUnsubscribing(flood, NOW);
    await runBulk(NOW, { plan: "free" });
    expect(await stopBulkAction(db, id, NOW)).toBe(true);
    await runBulk(NOW);
    expect(await count("unsubscribed")).toBe(500);
    await finishBulk(await startUndo(id, NOW), NOW);
    expect(await count("unsubscribed")).toBe(0);
    expect(await rows("bulk_actions")).toMatchObject([
      { state: "stopped", affected: 500 },
      { state: "done", kind: "undo", undoes: 1, affected: 500 },
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
  const MANY = 1_001;

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
