import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { countAffected } from "#app/features/entries/bulk/affected.server.ts";
import { deleteOldBulkActions, startBulkAction } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { planLimits, type WorkersPlan } from "#app/server/config/plan-limits.ts";
import { runBulk } from "#tests/features/entries/pool/unsubscribe-many.ts";
import { db, freshDatabaseForEachTest, join, rows, seedEntries } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const NOW = Date.UTC(2026, 10, 21, 12);
const DAY = 24 * 3_600_000;

async function start(selection = {}, expected = 10_000) {
  const newestEntryId = (await rows<{ id: number }>("waitlist_emails")).at(-1)?.id ?? 0;
  return startBulkAction(db, { kind: "erase", selection, newestEntryId, expected, now: NOW });
}

const run = (plan: WorkersPlan = "paid", now = NOW) => runBulk(now, { plan });

const emails = async () => (await rows<{ email: string }>("waitlist_emails")).map(({ email }) => email);

describe("an erasure", () => {
  test.each([
    { confirmed: 2, left: ["bob", "dan", "late"] },
    { confirmed: 4, left: ["bob", "late"] },
  ])(
    "of $confirmed leaves alone people who no longer match its filter or joined later, and erases no more",
    async ({ confirmed, left }) => {
      const signUp = (name: string) => join(`${name}@example.com`, { mustConfirm: true });
      for (const name of ["ada", "bob", "cyd", "dan"]) await signUp(name);
      await start({ confirmation: "unconfirmed" }, confirmed);
      await env.DB.exec("UPDATE waitlist_emails SET confirmed_at = 1 WHERE email = 'bob@example.com'");
      await signUp("late");
      await run();
      expect(await emails()).toEqual(left.map((name) => `${name}@example.com`));
      expect(await rows("bulk_actions")).toMatchObject([
        { state: "done", expected: confirmed, affected: 5 - left.length },
      ]);
    },
  );

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

  test("is forgotten after a year", async () => {
    await seedEntries(1, NOW);
    await start();
    await run();
    await start();
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
  await env.DB.exec("UPDATE email_outbox SET done_at = 1 WHERE entry_id <= 3");
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
  for (let minute = 0; minute < 5; minute += 1) await run("free", NOW + minute * 60_000);
  // Each has an email that waits.
  expect(await emails()).toHaveLength(cap / 2);
  expect(await rows("bulk_actions")).toMatchObject([
    { state: "running", changed_today: cap, changed_on: "2026-11-21" },
  ]);
  expect(await rows("jobs")).toMatchObject([{ kind: "change", next_attempt_at: NOW + DAY / 2, attempts: 0 }]);
  for (let minute = 0; minute < 5; minute += 1) await run("free", NOW + DAY / 2 + minute * 60_000);
  expect(await rows("bulk_actions")).toMatchObject([{ state: "done", affected: cap, changed_today: cap }]);
});

/** A letter that was sent to everyone. */
async function addLetter(): Promise<void> {
  await env.DB.exec(
    `INSERT INTO letters (key, subject, preview_line, body, audience, created_at, updated_at) VALUES (hex(randomblob(16)), 'News', '', '', '{"filter":{}}', 1, 1)`,
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
