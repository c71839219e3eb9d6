import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { claimDue } from "#app/email/outbox.server.ts";
import { requeueDead, requeueWelcome } from "#app/email/requeue.server.ts";
import { recordAttempts } from "#app/email/sender.server.ts";
import { computeStats } from "#app/features/overview/stats.server.ts";
import * as switches from "#app/switches.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import {
  addEntries,
  join as addPerson,
  db,
  freshDatabaseForEachTest,
  type Joining,
} from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const join = (email: string, joining: Joining = {}) => addPerson(email, { now: NOON, ...joining });

const stats = (timeZone = "UTC", days = 3) => computeStats(db, { now: NOON, days, timeZone });

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

test("chosen dates have their own days, totals and groups, and are compared with as many days before", async () => {
  const day = (date: string) => Date.parse(`${date}T12:00:00Z`);
  for (const [index, [date, utm_source]] of (
    [
      ["2026-08-31", "summer"],
      ["2026-09-30", "poster"],
      ["2026-10-01", "poster"],
      ["2026-10-31", "fair"],
      ["2026-11-01", "poster"],
      ["2026-11-21", "newsletter"],
    ] as const
  ).entries())
    await join(`ada${index}@example.com`, { now: day(date), utm_source });
  const dates = { from: "2026-10-01", until: "2026-10-31" };
  const { days, periods, groups, entries, joinedSince } = await computeStats(db, {
    now: NOON,
    timeZone: "UTC",
    ...dates,
  });
  expect(days).toHaveLength(31);
  expect([days[0], days.at(-1)]).toMatchObject([
    { date: "2026-10-01", joined: 1, total: 3 },
    { date: "2026-10-31", joined: 1, total: 4 },
  ]);
  expect(periods).toMatchObject({ chosen: { joined: 2 }, before: { joined: 2 }, today: { joined: 1 } });
  expect(groups.utm_source).toMatchObject([
    { name: "fair", people: 1, recent: 1 },
    { name: "poster", people: 1, recent: 0 },
  ]);
  expect([entries.joined, joinedSince]).toEqual([6, "2026-08-31"]);
});

test("chosen dates are days of the owner's time zone, and have those visits alone", async () => {
  await join("early@example.com", { now: Date.UTC(2026, 9, 31, 11), utm_campaign: "fair" });
  await join("late@example.com", { now: Date.UTC(2026, 9, 31, 10, 59), utm_campaign: "fair" });
  for (const [date, visits] of [
    ["2026-10-31", 3],
    ["2026-11-01", 5],
    ["2026-11-02", 7],
  ] as const) {
    const counts = JSON.stringify({
      page: { "/": visits },
      utm_campaign: { fair: visits },
      link: { "x > fair": visits },
    });
    await env.DB.prepare("INSERT INTO page_visits (day, counts) VALUES (?, ?)").bind(date, counts).run();
  }
  const dates = { from: "2026-11-01", until: "2026-11-01" };
  const { days, periods, groups } = await computeStats(db, { now: NOON, timeZone: "Pacific/Auckland", ...dates });
  expect(days).toMatchObject([{ date: "2026-11-01", joined: 1 }]);
  const visited = switches.visits ? [5, 3] : [0, 0];
  expect(periods).toMatchObject({
    chosen: { joined: 1, visits: visited[0] },
    before: { joined: 1, visits: visited[1] },
  });
  expect(groups.utm_campaign).toMatchObject([{ name: "fair", people: 1, visits: visited[0] }]);
});

test("lists the largest groups by name and counts the others together", async () => {
  await addEntries(255, NOON);
  await env.DB.exec("UPDATE waitlist_emails SET source = 'fair_' || id");
  await join("bob@example.com", { source: "fair_7" });
  const { source } = (await stats()).groups;
  expect(source).toHaveLength(251);
  expect(source[0]).toMatchObject({ name: "fair_7", people: 2 });
  expect(source.at(-1)).toMatchObject({ name: null, people: 5 });
  expect(source.reduce((sum, { people }) => sum + people, 0)).toBe(256);
});

test("emails to entries are counted as sent, waiting or dead, with the reasons", async () => {
  const ids = [];
  for (let n = 0; n < 5; n += 1) ids.push(await join(`ada${n}@example.com`));
  const claims = await claimDue(db, { now: NOON, limit: 3, perHour: 500, owners: [] });
  const [sent, failed, dead] = claims;
  if (sent?.entryId == null || failed === undefined || dead === undefined) throw new Error("not claimed");
  const results = [
    { id: sent.id, state: "sent" },
    { ...failed, state: "waiting", reason: "timed-out", nextAttemptAt: NOON + MINUTE },
    { id: dead.id, state: "dead", reason: "address-refused" },
  ] as const;
  await recordAttempts(db, claims, [...results], NOON);
  const ownerEmail = "INSERT INTO email_outbox (id, kind, dedupe_key, priority, next_attempt_at, created_at, dead_at)";
  await env.DB.prepare(`${ownerEmail} VALUES ('d', 'digest', 'digest', 2, 0, 0, 1)`).run();
  expect((await stats()).emails).toEqual({
    sent: 1,
    waiting: 3,
    dead: 1,
    unknown: 0,
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
  expect((await stats()).emails).toEqual({ sent: 0, waiting: 0, dead: 0, unknown: 0, reasons: [] });
});
