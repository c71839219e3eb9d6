import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { sweepOutbox } from "#app/email/deliver.server.ts";
import { countAffected } from "#app/owner/entries/bulk/affected.server.ts";
import { deleteOldBulkActions, startBulkAction } from "#app/owner/entries/bulk/bulk-actions.server.ts";
import { planLimits, type WorkersPlan } from "#app/server/plan-limits.ts";
import { countEntries } from "#app/waitlist/list-entries.server.ts";
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

const records = (kind: "erase" | "unsubscribe" | "undo") => countAffected(db, kind, undefined);

test("records are the entries and what is linked to them and changes", async () => {
  await seedEntries(10, NOW);
  await addLetter();
  await addFriends();
  await env.DB.exec("UPDATE email_outbox SET sent_at = 1 WHERE entry_id <= 3");
  // An email, a copy of a letter, a tie of each person and of nine friends to them, and three rows of each one's own friends.
  const erased = { entries: 10, emails: 10, waiting: 7, copies: 10, records: 10 * (1 + 1 + 1 + 1 + 3) + 9 };
  expect(await records("erase")).toEqual(erased);
  expect((await records("unsubscribe")).records).toBe(10 + 7);
  expect((await records("undo")).records).toBe(10);
});

test("a chunk is bounded in records: of 60 people with 20 letters each it erases no more than reach 1,000", async () => {
  await seedEntries(60, NOW);
  for (let letter = 1; letter <= 20; letter += 1) await addLetter();
  await start();
  await run("free");
  // 22 records each: the first 46 people reach 1,000.
  expect(await emails()).toHaveLength(60 - 46);
  await run("paid");
  expect(await emails()).toEqual([]);
});

test("on the free plan no more than the day's records are changed; the rest waits for the next day (UTC)", async () => {
  const cap = planLimits.free.changedRecordsADay;
  await seedEntries(cap, NOW);
  await start();
  for (let minute = 0; minute < 5; minute += 1) await run("free", { now: NOW + minute * 60_000 });
  // Each has an email that waits.
  expect(await emails()).toHaveLength(cap / 2);
  expect(await rows("bulk_actions")).toMatchObject([
    { state: "running", changed_today: cap, changed_on: "2026-11-21" },
  ]);
  expect(await rows("jobs")).toMatchObject([{ kind: "change", next_attempt_at: NOW + DAY / 2, attempts: 0 }]);
  for (let minute = 0; minute < 5; minute += 1) await run("free", { now: NOW + DAY / 2 + minute * 60_000 });
  expect(await rows("bulk_actions")).toMatchObject([{ state: "done", affected: cap, changed_today: cap }]);
});

/** A letter that was sent to everyone. */
async function addLetter(): Promise<void> {
  await env.DB.exec(
    `INSERT INTO letters (key, subject, preview_line, body, audience, created_at, updated_at) VALUES ('k', 'News', '', '', '{"filter":{}}', 1, 1)`,
  );
  await env.DB.exec(
    "INSERT INTO letter_recipients (letter_id, position, entry_id, state, done_at) SELECT (SELECT max(id) FROM letters), id, id, 'sent', 1 FROM waitlist_emails",
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
