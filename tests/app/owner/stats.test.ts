import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { claimDue, markFailed, markSent, requeueDead, requeueWelcome } from "#app/email/outbox.server.ts";
import { readStats } from "#app/owner/stats.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { addEntry, eraseEntry, eraseExpired, rejoinEntry, unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";

freshDatabaseForEachTest();

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY = 24 * 3_600_000;
const db = openDb(env.DB);

async function join(email: string, { now = NOON, source = "landing_page", campaign = {} } = {}) {
  const added = await addEntry(db, { email, source, columns: campaign, now });
  if (added.kind !== "new") throw new Error(added.kind);
  return added.id;
}

const stats = (timeZone = "UTC", days = 3) => readStats(db, { now: NOON, days, timeZone });

test("all stats of an empty list are zero", async () => {
  const { entries, days, sources, campaigns, emails, blocked } = await stats();
  expect(entries).toEqual({ joined: 0, active: 0, unsubscribed: 0, erased: 0 });
  expect(days.map(({ date, joined, total }) => [date, joined, total])).toEqual([
    ["2026-11-19", 0, 0],
    ["2026-11-20", 0, 0],
    ["2026-11-21", 0, 0],
  ]);
  expect({ sources, campaigns, blocked }).toEqual({ sources: [], campaigns: [], blocked: [] });
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

test("everyone who joined is active, unsubscribed or erased", async () => {
  const [ada = 0, bob = 0, , dan = 0] = await Promise.all(
    ["ada", "bob", "cyd", "dan"].map((n) => join(`${n}@example.com`)),
  );
  await unsubscribeEntry(db, ada, NOON);
  await unsubscribeEntry(db, ada, NOON);
  await unsubscribeEntry(db, dan, NOON);
  await rejoinEntry(db, dan, NOON);
  await eraseEntry(db, bob);
  await addEntry(db, { email: "cyd@example.com", source: "landing_page", columns: {}, now: NOON });
  const { entries, days } = await stats();
  expect(entries).toEqual({ joined: 4, active: 2, unsubscribed: 1, erased: 1 });
  expect(days.at(-1)).toMatchObject({ joined: 4, total: 4 });
});

test("groups count stored entries, and a name is deleted with its last entry", async () => {
  const fair = { utm_campaign: "ada@example.com" };
  const id = await join("ada@example.com", { source: "stall", campaign: fair });
  await join("bob@example.com");
  const named = (await stats()).campaigns.toSorted((a, b) => (a.name ?? "").localeCompare(b.name ?? ""));
  expect(named).toEqual([
    { name: "", people: 1 },
    { name: "ada@example.com", people: 1 },
  ]);
  await eraseEntry(db, id);
  const { sources, campaigns } = await stats();
  expect(sources).toEqual([{ name: "landing_page", people: 1 }]);
  expect(campaigns).toEqual([{ name: "", people: 1 }]);
  expect(JSON.stringify(await rows("counts"))).not.toContain("ada@");
});

test("lists the largest groups by name and counts the others together", async () => {
  for (let n = 0; n < 15; n += 1) await join(`ada${n}@example.com`, { source: `fair_${n}` });
  await join("bob@example.com", { source: "fair_7" });
  const { sources } = await stats();
  expect(sources[0]).toEqual({ name: "fair_7", people: 2 });
  expect(sources.at(-1)).toEqual({ name: null, people: 3 });
  expect(sources.reduce((sum, { people }) => sum + people, 0)).toBe(16);
});

test("emails are counted as sent, waiting or dead, with the reasons", async () => {
  const ids = [];
  for (let n = 0; n < 5; n += 1) ids.push(await join(`ada${n}@example.com`));
  const claimed = await claimDue(db, { now: NOON, limit: 3, perHour: 500 });
  const [sent, failed, dead] = claimed;
  if (sent === undefined || failed === undefined || dead === undefined) throw new Error("not claimed");
  await markSent(db, sent.id, NOON);
  await markFailed(db, failed, { reason: "slow", permanent: false }, NOON);
  await markFailed(db, dead, { reason: "no such mailbox", permanent: true }, NOON);
  expect((await stats()).emails).toEqual({
    sent: 1,
    waiting: 3,
    dead: 1,
    reasons: [
      { state: "waiting", reason: null, mails: 2 },
      { state: "waiting", reason: "slow", mails: 1 },
      { state: "dead", reason: "no such mailbox", mails: 1 },
    ],
  });
  expect(await requeueDead(db, NOON)).toBe(1);
  expect((await stats()).emails).toMatchObject({ sent: 1, waiting: 4, dead: 0 });
  await requeueWelcome(db, sent.entryId, NOON);
  expect((await stats()).emails).toMatchObject({ sent: 1, waiting: 5, dead: 0 });
  for (const id of ids) await eraseEntry(db, id);
  expect((await stats()).emails).toEqual({ sent: 1, waiting: 0, dead: 0, reasons: [] });
});

test("expired entries are counted as erased", async () => {
  for (const n of [1, 2, 3]) await join(`ada${n}@example.com`, { now: NOON - 1_000 * DAY });
  expect(await eraseExpired(db, NOON)).toBe(3);
  expect((await stats()).entries).toEqual({ joined: 3, active: 0, unsubscribed: 0, erased: 3 });
});

test("the migration backfills the counters from existing entries", async () => {
  await join("ada@example.com", { campaign: { utm_campaign: "fair" } });
  const before = await Promise.all([rows("counts"), rows("sign_up_counts")]);
  await env.DB.batch(["counts", "sign_up_counts"].map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
  const backfill = env.MIGRATIONS.find(({ name }) => name.includes("owner_counts"))?.queries ?? [];
  await env.DB.batch(
    backfill
      .filter((sql) => sql.includes("SELECT"))
      .filter((sql) => !/TRIGGER/.test(sql))
      .map((sql) => env.DB.prepare(sql)),
  );
  const sorted = (all: unknown[]) => all.map((row) => JSON.stringify(row)).toSorted();
  const after = await Promise.all([rows("counts"), rows("sign_up_counts")]);
  expect(after.map(sorted)).toEqual(before.map(sorted));
});
