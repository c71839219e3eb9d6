import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { claimDue } from "#app/email/outbox.server.ts";
import { recordResults } from "#app/email/record-results.server.ts";
import { requeueDead, requeueWelcome } from "#app/email/requeue.server.ts";
import { computeStats, joinedBetween, readNames, readStats, renewStats } from "#app/owner/stats.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import type { WorkersPlan } from "#app/server/plan-limits.ts";
import { lastLocalDays } from "#app/server/time-zone-days.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation.server.ts";
import { eraseEntry, eraseExpired, rejoinEntry, unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { explain } from "#tests/support/pool/explain.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { meteredD1 } from "#tests/support/pool/metered-d1.ts";

freshDatabaseForEachTest();
const log = captureLog();

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const db = openDb(env.DB);

async function join(email: string, { now = NOON, source = "landing_page", campaign = {} } = {}) {
  const added = await addEntry(db, { email, source, columns: campaign, now });
  if (added.kind !== "new") throw new Error(added.kind);
  return added.id;
}

const stats = (timeZone = "UTC", days = 3) => computeStats(db, { now: NOON, days, timeZone });

test("all stats of an empty list are zero", async () => {
  const { entries, days, groups, periods, emails, blocked } = await stats();
  expect(entries).toEqual({ joined: 0, active: 0, unconfirmed: 0, unsubscribed: 0, erased: 0 });
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

test("everyone who joined is active, unsubscribed or erased", async () => {
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
  expect(entries).toEqual({ joined: 4, active: 2, unconfirmed: 0, unsubscribed: 1, erased: 1 });
  // Erased entries count in the total only.
  expect(days.at(-1)).toMatchObject({ joined: 3, total: 4 });
});

test("the unconfirmed are those on the list who were asked and have not confirmed", async () => {
  for (const n of [1, 2, 3, 4])
    await addEntry(db, { email: `ada${n}@example.com`, source: "stall", columns: {}, now: NOON, mustConfirm: n > 1 });
  await confirmEntry(db, 2, NOON);
  expect((await stats()).entries).toMatchObject({ active: 4, unconfirmed: 2 });
  await unsubscribeEntry(db, 3, NOON);
  expect((await stats()).entries).toMatchObject({ active: 3, unconfirmed: 1, unsubscribed: 1 });
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
    expect((await stats()).entries).toEqual({ joined: 5, active: 0, unconfirmed: 0, unsubscribed: 0, erased: 5 });
  });

  test("are erased and counted together, or not at all", async () => {
    const id = await join("ada@example.com", { now: NOON - 1_000 * DAY });
    await env.DB.exec("ALTER TABLE erased_totals RENAME COLUMN count TO renamed");
    await expect(eraseEntry(db, id, NOON)).rejects.toThrow();
    await expect(eraseExpired(db, NOON)).rejects.toThrow();
    expect(await rows("waitlist_emails")).toMatchObject([{ id }]);
    expect(await rows("email_outbox")).toHaveLength(1);
  });
});

/** The site with a controllable clock. `background` is the work that continues behind the response. */
function harness({ workersPlan = "free" as WorkersPlan, d1 = env.DB } = {}) {
  const clock = { now: NOON };
  const background: Promise<unknown>[] = [];
  const waitUntil = (work: Promise<unknown>) => void background.push(work);
  const deps = { db: openDb(d1), now: () => clock.now, workersPlan, waitUntil };
  const read = (options = { days: 3, timeZone: "UTC" }) => readStats(deps, options);
  return { clock, background, deps, read };
}

/** The database with another implementation of `batch`, which aggregates the list. */
function withBatch(batch: (statements: D1PreparedStatement[]) => Promise<unknown>): D1Database {
  return new Proxy(env.DB, {
    get: (target, name) => (name === "batch" ? batch : Reflect.get(target, name).bind(target)),
  });
}

/** Adds a number of entries quickly, without emails. */
async function fill(entries: number) {
  await env.DB.prepare(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
    INSERT INTO waitlist_emails (email, metadata, created_at) SELECT 'ada' || n || '@example.com', '{}', n FROM numbers`)
    .bind(entries)
    .run();
}

describe("the stored stats", () => {
  test("are computed at the first view and served with their time after that", async () => {
    const { clock, background, read } = harness();
    await join("ada@example.com");
    const first = await read();
    expect(first).toMatchObject({ computedAt: NOON, stats: { entries: { joined: 1 } } });
    await join("bob@example.com");
    clock.now += 5 * MINUTE;
    expect(await read()).toEqual(first);
    expect(background).toEqual([]);
    expect(await rows("stats")).toMatchObject([{ computed_at: NOON }]);
  });

  test("are served at once when stale, and renewed behind the response", async () => {
    const first = await harness().read();
    await join("ada@example.com");
    const held = Promise.withResolvers<void>();
    const d1 = withBatch((statements) => held.promise.then(() => env.DB.batch(statements)));
    const { clock, background, read } = harness({ d1 });
    clock.now += 5 * MINUTE + 1;
    // The aggregation has not even begun.
    expect(await read()).toEqual(first);
    expect(background).toHaveLength(1);
    held.resolve();
    await Promise.all(background);
    expect(await read()).toMatchObject({ computedAt: clock.now, stats: { entries: { joined: 1 } } });
    expect(background).toHaveLength(1);
  });

  test("stay in place when the renewal fails, which is logged", async () => {
    const first = await harness().read();
    const { clock, background, read } = harness({ d1: withBatch(() => Promise.reject(new Error("D1 is out"))) });
    clock.now += DAY;
    expect(await read()).toEqual(first);
    await Promise.all(background);
    expect(log.map((line) => JSON.parse(line).event)).toEqual(["stats-failed"]);
    expect(log.join()).not.toContain("@");
    expect(await read()).toEqual(first);
    await Promise.all(background);
  });

  test.each([
    ["free", 20_001, 60],
    ["free", 20_000, 5],
    ["paid", 20_001, 5],
  ] as const)("on the %s plan with %d entries are renewed after %d minutes", async (workersPlan, entries, minutes) => {
    await fill(entries);
    await unsubscribeEntry(db, 1, NOON);
    const { clock, background, read } = harness({ workersPlan });
    await read();
    clock.now += minutes * MINUTE;
    await read();
    expect(background).toEqual([]);
    clock.now += 1;
    await read();
    expect(background).toHaveLength(1);
    await Promise.all(background);
    expect(await rows("stats")).toMatchObject([{ computed_at: clock.now }]);
  });

  test("are renewed at once on request, even if they are recent", async () => {
    const { clock, deps, read } = harness();
    await read();
    await join("ada@example.com");
    clock.now += 1;
    const renewed = await renewStats(deps, { days: 3, timeZone: "UTC" });
    expect(renewed).toMatchObject({ computedAt: NOON + 1, stats: { entries: { joined: 1 } } });
    expect(await read()).toEqual(renewed);
    expect(await rows("stats")).toHaveLength(1);
  });

  test("are separate for each period and time zone", async () => {
    const { read } = harness();
    const periods = [
      { days: 3, timeZone: "UTC" },
      { days: 5, timeZone: "UTC" },
      { days: 3, timeZone: "Asia/Tokyo" },
    ];
    for (const options of periods) {
      const expected = lastLocalDays(NOON, options.days, options.timeZone).map(({ date }) => date);
      for (let view = 0; view < 2; view += 1) {
        expect((await read(options)).stats.days.map(({ date }) => date)).toEqual(expected);
      }
    }
    expect(await rows("stats")).toHaveLength(3);
  });

  test("have the names of the sources to filter by, largest first", async () => {
    for (const [index, source] of ["stall", "landing_page", "landing_page"].entries()) {
      await join(`ada${index}@example.com`, { source });
    }
    expect((await readNames(db, ["source"])).source.toSorted()).toEqual(["landing_page", "stall"]);
    await harness().read();
    expect((await readNames(db, ["source"])).source).toEqual(["landing_page", "stall"]);
    // A longer period has names that a shorter one lacks.
    await join("bob@example.com", { source: "spring_fair", now: NOON - 60 * DAY });
    await harness().read({ days: 90, timeZone: "UTC" });
    expect((await readNames(db, ["source"])).source.toSorted()).toEqual(["landing_page", "spring_fair", "stall"]);
  });
});

describe("a source or campaign name, which visitors choose,", () => {
  const campaign = { utm_campaign: "ada@example.com" };
  const storedText = async () => JSON.stringify(await rows("stats"));

  test("disappears from the stats with its last entry, including the stored ones", async () => {
    const { read } = harness();
    const ada = await join("ada@example.com", { source: "stall", campaign });
    const bob = await join("bob@example.com", { campaign });
    await join("cyd@example.com");
    await read();
    await read({ days: 5, timeZone: "UTC" });
    await eraseEntry(db, bob, NOON);
    expect((await stats()).groups.utm_campaign).toMatchObject([{ name: "" }, { name: "ada@example.com", people: 1 }]);
    await read();
    await eraseEntry(db, ada, NOON);
    expect(await storedText()).not.toMatch(/ada@|stall/);
    const { source, utm_campaign } = (await read()).stats.groups;
    expect(source).toMatchObject([{ name: "landing_page", people: 1 }]);
    expect(utm_campaign).toMatchObject([{ name: "", people: 1 }]);
  });

  test("disappears from the stored stats when the retention period of its last entry ends", async () => {
    const { read } = harness();
    await join("ada@example.com", { now: NOON - 1_000 * DAY, campaign });
    await join("bob@example.com", { now: NOON - 1_000 * DAY });
    await join("cyd@example.com");
    await read({ days: 1_100, timeZone: "UTC" });
    expect(await storedText()).toContain("ada@");
    await eraseExpired(db, NOON);
    expect(await storedText()).not.toContain("ada@");
  });

  test("cannot break the stored stats", async () => {
    const { read } = harness();
    const names = ['","people":9}', "joined", "null", "'; DROP TABLE stats; --", "\u2028\\"];
    for (const [index, name] of names.entries()) {
      const id = await join(`ada${index}@example.com`, { campaign: { utm_campaign: name } });
      expect((await read()).stats.groups.utm_campaign).toMatchObject([{ name, people: 1 }]);
      await eraseEntry(db, id, NOON);
      expect(await rows("stats")).toEqual([]);
    }
  });
});

test("the sign-ups of every day are one query that reads only its index", async () => {
  const plan = await explain(joinedBetween(db, lastLocalDays(NOON, 90, "UTC")));
  expect(plan.filter((step) => step.includes("waitlist_emails"))).toEqual([
    "SEARCH waitlist_emails USING COVERING INDEX waitlist_emails_created_at (created_at>? AND created_at<?)",
  ]);
});

test("stored stats are read without reading the list", async () => {
  const meter = meteredD1();
  await harness().read();
  await harness({ d1: meter.d1 }).read();
  expect(meter.executed.map(({ sql }) => /from "(\w+)"/.exec(sql)?.[1])).toEqual(["stats"]);
  expect(meter.rowsWritten()).toBe(0);
});
