import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { computeStats, readStats, renewStats } from "#app/owner/overview/stats.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import type { WorkersPlan } from "#app/server/plan-limits.ts";
import { lastLocalDays } from "#app/server/time-zone-days.ts";
import { unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { eraseEntry, eraseExpired } from "#app/waitlist/erase-entries.server.ts";
import { PIONEERS_KEY } from "#app/waitlist/pioneers.server.ts";
import { readNames } from "#app/waitlist/used-names.server.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { join as addPerson, type Joining } from "#tests/support/pool/join.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { meteredD1 } from "#tests/support/pool/metered-d1.ts";
import { addEntries } from "#tests/support/pool/seed-entries.ts";

freshDatabaseForEachTest();
const log = captureLog();

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const db = openDb(env.DB);

const join = (email: string, joining: Joining = {}) => addPerson(email, { now: NOON, ...joining });

/** The site with a controllable clock. `background` is the work that continues behind the response. */
function harness({ workersPlan = "free" as WorkersPlan, d1 = env.DB } = {}) {
  const clock = { now: NOON };
  const background: Promise<unknown>[] = [];
  const waitUntil = (work: Promise<unknown>) => void background.push(work);
  const deps = { db: openDb(d1), now: () => clock.now, workersPlan, waitUntil };
  const read = (options = { days: 3, timeZone: "UTC" }) => readStats(deps, options);
  return { clock, background, deps, read };
}

/** Without the number that the landing page reads. */
async function storedOverviews() {
  return (await rows<{ key: string }>("stats")).filter(({ key }) => key !== PIONEERS_KEY);
}

/** The database with another implementation of `batch`, which aggregates the list. */
function withBatch(batch: (statements: D1PreparedStatement[]) => Promise<unknown>): D1Database {
  return new Proxy(env.DB, {
    get: (target, name) => (name === "batch" ? batch : Reflect.get(target, name).bind(target)),
  });
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
    expect(await storedOverviews()).toMatchObject([{ computed_at: NOON }]);
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
    await addEntries(entries);
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
    expect(await storedOverviews()).toMatchObject([{ computed_at: clock.now }]);
  });

  test("are renewed at once on request, even if they are recent", async () => {
    const { clock, deps, read } = harness();
    await read();
    await join("ada@example.com");
    clock.now += 1;
    const renewed = await renewStats(deps, { days: 3, timeZone: "UTC" });
    expect(renewed).toMatchObject({ computedAt: NOON + 1, stats: { entries: { joined: 1 } } });
    expect(await read()).toEqual(renewed);
    expect(await storedOverviews()).toHaveLength(1);
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
    expect(await storedOverviews()).toHaveLength(3);
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
  const storedText = async () => JSON.stringify(await storedOverviews());

  test("disappears from the stats with its last entry, including the stored ones", async () => {
    const { read } = harness();
    const ada = await join("ada@example.com", { source: "stall", ...campaign });
    const bob = await join("bob@example.com", campaign);
    await join("cyd@example.com");
    await read();
    await read({ days: 5, timeZone: "UTC" });
    await eraseEntry(db, bob, NOON);
    expect((await computeStats(db, { now: NOON, days: 3, timeZone: "UTC" })).groups.utm_campaign).toMatchObject([
      { name: "" },
      { name: "ada@example.com", people: 1 },
    ]);
    await read();
    await eraseEntry(db, ada, NOON);
    expect(await storedText()).not.toMatch(/ada@|stall/);
    const { source, utm_campaign } = (await read()).stats.groups;
    expect(source).toMatchObject([{ name: "landing_page", people: 1 }]);
    expect(utm_campaign).toMatchObject([{ name: "", people: 1 }]);
  });

  test("disappears from the stored stats when the retention period of its last entry ends", async () => {
    const { read } = harness();
    await join("ada@example.com", { now: NOON - 1_000 * DAY, ...campaign });
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
      const id = await join(`ada${index}@example.com`, { utm_campaign: name });
      expect((await read()).stats.groups.utm_campaign).toMatchObject([{ name, people: 1 }]);
      await eraseEntry(db, id, NOON);
      expect(await storedOverviews()).toEqual([]);
    }
  });
});

test("stored stats are read without reading the list", async () => {
  const meter = meteredD1();
  await harness().read();
  await harness({ d1: meter.d1 }).read();
  expect(meter.executed.map(({ sql }) => /from "(\w+)"/.exec(sql)?.[1])).toEqual(["stats"]);
  expect(meter.rowsWritten()).toBe(0);
});
