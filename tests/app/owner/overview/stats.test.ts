import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { claimDue } from "#app/email/outbox.server.ts";
import { recordResults } from "#app/email/record-results.server.ts";
import { requeueDead, requeueWelcome } from "#app/email/requeue.server.ts";
import { computeStats } from "#app/owner/overview/stats.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { lastLocalDays } from "#app/server/time-zone-days.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation.server.ts";
import { rejoinEntry, unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { joinedBetween } from "#app/waitlist/entry-counts.server.ts";
import { eraseEntry, eraseExpired } from "#app/waitlist/erase-entries.server.ts";
import { freshDatabaseForEachTest, refuseInserts, rows } from "#tests/support/pool/database.ts";
import { explain } from "#tests/support/pool/explain.ts";
import { join as addPerson, type Joining } from "#tests/support/pool/join.ts";

freshDatabaseForEachTest();

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const db = openDb(env.DB);

const join = (email: string, joining: Joining = {}) => addPerson(email, { now: NOON, ...joining });

const stats = (timeZone = "UTC", days = 3) => computeStats(db, { now: NOON, days, timeZone });

test("all stats of an empty list are zero", async () => {
  const { entries, days, groups, periods, emails, blocked } = await stats();
  expect(entries).toEqual({ joined: 0, canGetEmail: 0, unconfirmed: 0, suppressed: 0, unsubscribed: 0, erased: 0 });
  expect(days.map(({ date, joined, total, visits }) => [date, joined, total, visits])).toEqual([
    ["2026-11-19", 0, 0, 0],
    ["2026-11-20", 0, 0, 0],
    ["2026-11-21", 0, 0, 0],
  ]);
  expect(Object.values(groups).flat()).toEqual([]);
  for (const period of Object.values(periods)) expect(period).toEqual({ joined: 0, visits: 0 });
  expect(blocked).toEqual([]);
  expect(emails).toEqual({ sent: 0, waiting: 0, dead: 0, reasons: [] });
});

test("the running total includes earlier days", async () => {
  for (const [index, back] of [9, 2, 1, 1, 0].entries())
    await join(`ada${index}@example.com`, { now: NOON - back * DAY });
  expect((await stats()).days.map(({ joined, total }) => [joined, total])).toEqual([
    [1, 2],
    [2, 4],
    [1, 5],
  ]);
});

test("days are in the owner's time zone, not UTC", async () => {
  await join("early@example.com", { now: Date.UTC(2026, 10, 20, 18, 29) });
  await join("late@example.com", { now: Date.UTC(2026, 10, 20, 18, 30) });
  const joined = async (timeZone: string) => (await stats(timeZone)).days.map((day) => day.joined);
  expect(await joined("UTC")).toEqual([0, 2, 0]);
  expect(await joined("Asia/Kolkata")).toEqual([0, 1, 1]);
  expect(await joined("America/New_York")).toEqual([0, 2, 0]);
});

test("everyone who joined can get email, has unsubscribed or is erased", async () => {
  const [ada = 0, bob = 0, , dan = 0] = await Promise.all(
    ["ada", "bob", "cyd", "dan"].map((n) => join(`${n}@example.com`)),
  );
  await unsubscribeEntry(db, ada, NOON);
  await unsubscribeEntry(db, ada, NOON);
  await unsubscribeEntry(db, dan, NOON);
  await rejoinEntry(db, dan, NOON);
  await eraseEntry(db, bob, NOON);
  await addEntry(db, { email: "cyd@example.com", source: "landing_page", columns: {}, now: NOON });
  const { entries, days } = await stats();
  expect(entries).toEqual({ joined: 4, canGetEmail: 2, unconfirmed: 0, suppressed: 0, unsubscribed: 1, erased: 1 });
  // Erased entries count in the total only.
  expect(days.at(-1)).toMatchObject({ joined: 3, total: 4 });
});

test("the unconfirmed are those on the list who were asked and have not confirmed", async () => {
  for (const n of [1, 2, 3, 4]) await join(`ada${n}@example.com`, { mustConfirm: n > 1 });
  await confirmEntry(db, 2, NOON);
  expect((await stats()).entries).toMatchObject({ canGetEmail: 2, unconfirmed: 2 });
  await unsubscribeEntry(db, 3, NOON);
  expect((await stats()).entries).toMatchObject({ canGetEmail: 2, unconfirmed: 1, unsubscribed: 1 });
});

test("lists the largest groups by name and counts the others together", async () => {
  for (let n = 0; n < 15; n += 1) await join(`ada${n}@example.com`, { source: `fair_${n}` });
  await join("bob@example.com", { source: "fair_7" });
  const { source } = (await stats()).groups;
  expect(source).toHaveLength(13);
  expect(source[0]).toMatchObject({ name: "fair_7", people: 2 });
  expect(source.at(-1)).toMatchObject({ name: null, people: 3 });
  expect(source.reduce((sum, { people }) => sum + people, 0)).toBe(16);
});

test("emails to entries are counted as sent, waiting or dead, with the reasons", async () => {
  const ids = [];
  for (let n = 0; n < 5; n += 1) ids.push(await join(`ada${n}@example.com`));
  const [sent, failed, dead] = await claimDue(db, { now: NOON, limit: 3, perHour: 500, owners: [] });
  if (sent?.entryId == null || failed === undefined || dead === undefined) throw new Error("not claimed");
  const results = [
    { id: sent.id, state: "sent" },
    { ...failed, state: "waiting", reason: "timed-out", nextAttemptAt: NOON + MINUTE },
    { id: dead.id, state: "dead", reason: "address-refused" },
  ] as const;
  await recordResults(db, [...results], NOON);
  const ownerEmail = "INSERT INTO email_outbox (id, kind, dedupe_key, priority, next_attempt_at, created_at, dead_at)";
  await env.DB.prepare(`${ownerEmail} VALUES ('d', 'digest', 'digest', 2, 0, 0, 1)`).run();
  expect((await stats()).emails).toEqual({
    sent: 1,
    waiting: 3,
    dead: 1,
    reasons: [
      { state: "waiting", reason: null, emails: 2 },
      { state: "waiting", reason: "timed-out", emails: 1 },
      { state: "dead", reason: "address-refused", emails: 1 },
    ],
  });
  await env.DB.exec("UPDATE email_outbox SET reason = 'timed-out' WHERE reason = 'address-refused'");
  expect(await requeueDead(db, NOON)).toBe(1);
  expect((await stats()).emails).toMatchObject({ sent: 1, waiting: 4, dead: 0 });
  await requeueWelcome(db, sent.entryId, NOON);
  expect((await stats()).emails).toMatchObject({ sent: 0, waiting: 5, dead: 0 });
  for (const id of ids) await eraseEntry(db, id, NOON);
  expect((await stats()).emails).toEqual({ sent: 0, waiting: 0, dead: 0, reasons: [] });
});

describe("erased entries", () => {
  test("are counted by day, one by one and at the end of the retention period", async () => {
    for (const n of [1, 2, 3]) await join(`old${n}@example.com`, { now: NOON - 1_000 * DAY });
    const ids = await Promise.all(["ada", "bob"].map((n) => join(`${n}@example.com`)));
    expect(await eraseExpired(db, NOON)).toBe(3);
    expect(await eraseExpired(db, NOON)).toBe(0);
    for (const id of ids) {
      const erasures = await Promise.all([eraseEntry(db, id, NOON + DAY), eraseEntry(db, id, NOON + DAY)]);
      expect(erasures.toSorted()).toEqual([false, true]);
    }
    expect(await rows("erased_totals")).toEqual([
      { day: "2026-11-21", count: 3 },
      { day: "2026-11-22", count: 2 },
    ]);
    expect((await stats()).entries).toEqual({
      joined: 5,
      canGetEmail: 0,
      unconfirmed: 0,
      suppressed: 0,
      unsubscribed: 0,
      erased: 5,
    });
  });

  test("are erased and counted together, or not at all", async () => {
    const id = await join("ada@example.com", { now: NOON - 1_000 * DAY });
    await refuseInserts("erased_totals");
    await expect(eraseEntry(db, id, NOON)).rejects.toThrow();
    await expect(eraseExpired(db, NOON)).rejects.toThrow();
    expect(await rows("waitlist_emails")).toMatchObject([{ id }]);
    expect(await rows("email_outbox")).toHaveLength(1);
  });
});

test("the sign-ups of every day are one query that reads only its index", async () => {
  const plan = await explain(joinedBetween(db, lastLocalDays(NOON, 90, "UTC")));
  expect(plan.filter((step) => step.includes("waitlist_emails"))).toEqual([
    "SEARCH waitlist_emails USING COVERING INDEX waitlist_emails_created_at (created_at>? AND created_at<?)",
  ]);
});
