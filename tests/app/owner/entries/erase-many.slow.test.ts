import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { sweepOutbox } from "#app/email/deliver.server.ts";
import type { Mailer } from "#app/email/mailer.server.ts";
import {
  type AffectedRows,
  countAffectedRows,
  noRows,
  rowsToWrite,
} from "#app/owner/entries/bulk/affected-rows.server.ts";
import { deleteOldBulkActions, startBulkAction, stopBulkAction } from "#app/owner/entries/bulk/bulk-actions.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { wrapD1 } from "#app/server/db/wrap-d1.server.ts";
import { maxSubrequests, type WorkersPlan } from "#app/server/plan-limits.ts";
import { countEntries } from "#app/waitlist/list-entries.server.ts";
import { killedProcess, meteredD1 } from "#tests/support/pool/d1.ts";
import { countingMailer, scheduledApp } from "#tests/support/pool/emails.ts";
import { db, freshDatabaseForEachTest, join, rows, seedEntries } from "#tests/support/pool/start.ts";
import { runBulk } from "#tests/support/pool/unsubscribe-many.ts";

freshDatabaseForEachTest();

const NOW = Date.UTC(2026, 10, 21, 12);
const DAY = 24 * 3_600_000;

/** The flood of {@link seedEntries}, whose welcome emails wait. */
const flood = { source: "landing_page" };

async function start(selection = {}, expected?: number) {
  const newest = (await rows<{ id: number }>("waitlist_emails")).at(-1)?.id ?? 0;
  const count = expected ?? (await countEntries(db, { ...flood, ...selection }));
  const erasure = {
    kind: "erase" as const,
    selection: { ...flood, ...selection },
    newestEntryId: newest,
    expected: count,
    now: NOW,
  };
  return startBulkAction(db, erasure);
}

const run = (plan: WorkersPlan = "paid", { d1 = env.DB, now = NOW } = {}) => runBulk(now, { plan, d1 });

const emails = async () => (await rows<{ email: string }>("waitlist_emails")).map(({ email }) => email);

describe("an erasure", () => {
  test("erases entries with their emails, which are never sent, counts them, and leaves others alone", async () => {
    await seedEntries(507, NOW);
    await join("ada@example.com", { source: "stall" });
    await start();
    await run();
    expect(await emails()).toEqual(["ada@example.com"]);
    expect(await rows("erased_totals")).toMatchObject([{ day: "2026-11-21", count: 507 }]);
    expect(await rows("bulk_actions")).toMatchObject([{ state: "done", affected: 507, finished_at: NOW }]);
    const { mailer, counted } = countingMailer();
    await sweepOutbox({ ...scheduledApp(Date.now() + DAY), mailer });
    expect([...counted.accepted.keys()]).toEqual(["ada@example.com"]);
  });

  test("leaves alone people who no longer match its filter, and erases no more than were confirmed", async () => {
    for (const name of ["ada", "bob", "cyd", "dan"]) await join(`${name}@example.com`, { mustConfirm: true });
    await start({ confirmation: "unconfirmed" }, 2);
    await env.DB.exec("UPDATE waitlist_emails SET confirmed_at = 1 WHERE email = 'bob@example.com'");
    await run();
    expect(await emails()).toEqual(["bob@example.com", "dan@example.com"]);
    expect(await rows("bulk_actions")).toMatchObject([{ state: "done", expected: 2, affected: 2 }]);
  });

  test("keeps suppressions and a letter's counts, and adds no suppression", async () => {
    await seedEntries(2, NOW);
    await addLetter();
    await env.DB.exec("INSERT INTO suppressions VALUES ('some-hash', 'complaint', NULL, 0)");
    await start();
    await run();
    expect(await rows("suppressions")).toHaveLength(1);
    expect(await rows("erased_addresses")).toEqual([]);
    const { results } = await env.DB.prepare("SELECT entry_id, state FROM letter_recipients").all();
    expect(results).toEqual(Array(2).fill({ entry_id: null, state: "sent" }));
  });

  test("erases nothing more if it is stopped while a chunk is being counted", async () => {
    await seedEntries(3, NOW);
    const id = (await start()) ?? 0;
    const d1 = wrapD1(env.DB, async (work, statements) => {
      if (statements.some(({ sql }) => sql.startsWith("delete"))) await stopBulkAction(db, id, NOW);
      return work();
    });
    await run("free", { d1 });
    expect(await emails()).toHaveLength(3);
    expect(await rows("bulk_actions")).toMatchObject([{ state: "stopped", affected: 0 }]);
  });

  test("waits for one that is running, and is forgotten after a year", async () => {
    await seedEntries(1, NOW);
    expect(await start()).toBe(1);
    expect(await start()).toBe(null);
    await run();
    expect(await start()).toBe(2);
    await deleteOldBulkActions(db, NOW + 364 * DAY);
    expect(await rows("bulk_actions")).toHaveLength(2);
    await deleteOldBulkActions(db, NOW + 366 * DAY);
    expect(await rows("bulk_actions")).toMatchObject([{ id: 2, state: "running" }]);
  });
});

describe("a run that is ended by the platform", () => {
  const mailer: Mailer = { keyLifetime: 0, send: async () => ({ state: "sent" }) };
  const steps = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((step) => [
    { step, when: "before" as const },
    { step, when: "after" as const },
  ]);

  test.each(steps)("$when step $step loses and repeats nothing", async (kill) => {
    await seedEntries(1_001, NOW);
    await start();
    const { d1, untilDead, wasKilled } = killedProcess(mailer, kill);
    await untilDead(run("paid", { d1 }));
    expect(wasKilled()).toBe(true);
    await join("late@example.com");
    await run();
    expect(await emails()).toEqual(["late@example.com"]);
    expect(await rows("bulk_actions")).toMatchObject([{ state: "done", affected: 1_001 }]);
    expect(await rows("erased_totals")).toMatchObject([{ count: 1_001 }]);
  });

  test("and runs at the same time erase each chunk once", async () => {
    await seedEntries(1_001, NOW);
    await start();
    const cost = rowsToWrite("erase", await countAffectedRows(db, "erase", undefined));
    await Promise.all([run(), run(), run()]);
    expect(await rows("bulk_actions")).toMatchObject([{ state: "done", affected: 1_001 }]);
    const [{ rows_written } = { rows_written: 0 }] = await rows<{ rows_written: number }>("bulk_actions");
    // Three chunks, each with a few rows of its own.
    expect(rows_written - cost).toBeLessThan(10);
    expect(await rows("erased_totals")).toMatchObject([{ count: 1_001 }]);
  });
});

describe("rows written", () => {
  /** Each state of an entry that costs differently. */
  const states: Record<string, () => Promise<void>> = {
    "emails that wait": async () => {},
    "emails that were sent": () => update("email_outbox SET sent_at = 1"),
    "emails that failed": () => update("email_outbox SET dead_at = 1, reason = 'rejected'"),
    "hashes of its mailbox": () => update("waitlist_emails SET mailbox_hash = 'hash' || id, address_hash = 'hash'"),
    "no emails": async () => void (await env.DB.exec("DELETE FROM email_outbox")),
    "people who had left": peopleLeave,
    "a letter": addLetter,
    "friends whom they brought": addFriends,
    "two webhooks that are told": addWebhooks,
  };

  test.each(Object.keys(states))("of entries with %s are as many as the page counts with, or fewer", async (state) => {
    await seedEntries(100, NOW);
    await states[state]?.();
    const counted = rowsToWrite("erase", await countAffectedRows(db, "erase", undefined));
    await start();
    const metered = meteredD1();
    await run("paid", { d1: metered.d1 });
    expect(await emails()).toEqual([]);
    expect(metered.rowsWritten()).toBeLessThanOrEqual(counted);
    expect(await rows("bulk_actions")).toMatchObject([{ rows_written: counted }]);
  });

  test("are counted with index entries, which local D1 leaves out where rows are deleted", async () => {
    const indexes = async (table: string) => (await env.DB.prepare(`PRAGMA index_list(${table})`).all()).results.length;
    const tables = ["waitlist_emails", "email_outbox", "referrals", "referrers", "reached_milestones"];
    expect(await Promise.all(tables.map(indexes))).toEqual([3, 6, 1, 0, 1]);
    const cost = (rows: Partial<AffectedRows>) =>
      rowsToWrite("erase", { ...noRows, ...rows }) - rowsToWrite("erase", noRows);
    // An email is due, sent or dead, and in one of their three indexes.
    expect([cost({ entries: 1 }), cost({ emails: 1 })]).toEqual([4, 5]);
  });
});

async function update(change: string): Promise<void> {
  await env.DB.exec(`UPDATE ${change}`);
}

async function peopleLeave(): Promise<void> {
  await update("waitlist_emails SET address_hash = 'hash' || id, status = 'unsubscribed', unsubscribed_at = 1");
  await update("waitlist_emails SET unsubscribe_reason = 'own-choice'");
}

/** One is gone, and another is told of other events only. */
async function addWebhooks(): Promise<void> {
  await env.DB.exec(
    `INSERT INTO webhook_endpoints (url, events, is_on, off_reason, created_at) VALUES
    ('https://a.example', '["entry.erased"]', 1, NULL, 1), ('https://b.example', '["entry.erased"]', 0, 'gone', 1),
    ('https://c.example', '["entry.joined"]', 1, NULL, 1), ('https://d.example', '["entry.erased"]', 0, 'owner', 1)`.replaceAll(
      "\n",
      " ",
    ),
  );
}

/** A letter that was sent to everyone. */
async function addLetter(): Promise<void> {
  await env.DB.exec(
    `INSERT INTO letters (key, subject, preview_line, body, audience, created_at, updated_at) VALUES ('k', 'News', '', '', '{"filter":{}}', 1, 1)`,
  );
  await env.DB.exec(
    "INSERT INTO letter_recipients (letter_id, position, entry_id, state, done_at) SELECT 1, id, id, 'sent', 1 FROM waitlist_emails",
  );
}

/** Everyone joined through the link of the one before, counts, and has reached two milestones. */
async function addFriends(): Promise<void> {
  await env.DB.exec(
    "INSERT INTO referrals (entry_id, referrer_id, ruling, decided_at, note) SELECT id, nullif(id - 1, 0), 'counted', 1, NULL FROM waitlist_emails",
  );
  await env.DB.exec("INSERT INTO referrers (entry_id, counted) SELECT id, 1 FROM waitlist_emails");
  await env.DB.exec(
    "INSERT INTO reached_milestones SELECT waitlist_emails.id, value, 1, NULL FROM waitlist_emails, json_each('[3,10]')",
  );
}
