import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { stopBulkAction } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation/confirmation.server.ts";
import { finishBulk, runBulk, startUndo, startUnsubscribing } from "#tests/features/entries/pool/unsubscribe-many.ts";
import { db, execute, freshDatabaseForEachTest, join, rows, seedEntries } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const NOW = Date.UTC(2026, 10, 21, 12);
const DAY = 24 * 3_600_000;
const flood = { source: "landing_page" };

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
    await env.DB.exec("UPDATE email_outbox SET done_at = 1 WHERE entry_id = 2");
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
    await unsubscribeAll(flood);
    const second = await unsubscribeAll({ source: "stall" });
    await finishBulk(await startUndo(second, NOW), NOW);
    expect(await rows("waitlist_emails")).toMatchObject([
      { status: "unsubscribed", unsubscribe_reason: "owner" },
      { status: "active", unsubscribe_reason: null },
    ]);
    expect(await startUndo(second, NOW)).toBe(0);
  });
});
