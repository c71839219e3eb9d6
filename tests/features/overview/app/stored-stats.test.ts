import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { computeStats, readStats } from "#app/features/overview/stats.server.ts";
import { planLimits, type WorkersPlan } from "#app/server/config/plan-limits.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import {
  addEntries,
  join as addPerson,
  db,
  freshDatabaseForEachTest,
  type Joining,
  rows,
} from "#tests/support/pool/start.ts";

const log = freshDatabaseForEachTest();

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const join = (email: string, joining: Joining = {}) => addPerson(email, { now: NOON, ...joining });

/** The site with a controllable clock. `background` is the work that continues behind the response. */
function harness({ plan = "free" as WorkersPlan, d1 = env.DB } = {}) {
  const clock = { now: NOON };
  const background: Promise<unknown>[] = [];
  const waitUntil = (work: Promise<unknown>) => void background.push(work);
  const deps = { db: openDb(d1), now: () => clock.now, plan: planLimits[plan], waitUntil };
  const read = (options: Parameters<typeof readStats>[1] = { days: 3, timeZone: "UTC" }) => readStats(deps, options);
  return { clock, background, deps, read };
}

/** Without the number that the landing page reads. */
async function storedOverviews() {
  return (await rows<{ key: string }>("stats")).filter(({ key }) => key !== "pioneers");
}

/** The database with another implementation of `batch`, which aggregates the list. */
function withBatch(batch: (statements: D1PreparedStatement[]) => Promise<unknown>): D1Database {
  return new Proxy(env.DB, {
    get: (target, name) => (name === "batch" ? batch : Reflect.get(target, name).bind(target)),
  });
}

describe("the stored stats", () => {
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
  ] as const)("on the %s plan with %d entries are renewed after %d minutes", async (plan, entries, minutes) => {
    await addEntries(entries);
    await unsubscribeEntry(db, 1, NOON);
    const { clock, background, read } = harness({ plan });
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

  test("are separate for each period and time zone", async () => {
    const { read } = harness();
    for (const [days, timeZone, last] of [
      [3, "UTC", "2026-11-21"],
      [5, "UTC", "2026-11-21"],
      [3, "Pacific/Auckland", "2026-11-22"],
    ] as const) {
      for (let view = 0; view < 2; view += 1) {
        const shown = (await read({ days, timeZone })).stats.days;
        expect([shown.length, shown.at(-1)?.date]).toEqual([days, last]);
      }
    }
    expect(await storedOverviews()).toHaveLength(3);
  });
});

test("stats of chosen dates are stored for an hour at least, and deleted when others are stored later", async () => {
  const { clock, read } = harness();
  const dates = (from: string) => ({ from, until: "2026-11-01", timeZone: "UTC" });
  await read();
  await read(dates("2026-10-01"));
  expect((await read(dates("2026-10-01"))).computedAt).toBe(NOON);
  clock.now += 60 * MINUTE;
  await read(dates("2026-09-01"));
  expect(await storedOverviews()).toHaveLength(3);
  clock.now += MINUTE;
  await read(dates("2026-08-01"));
  const keys = (await storedOverviews()).map(({ key }) => key).sort();
  expect(keys.filter((key) => key.includes(".."))).toEqual([
    expect.stringContaining("2026-08-01..2026-11-01"),
    expect.stringContaining("2026-09-01..2026-11-01"),
  ]);
  expect(keys).toHaveLength(3);
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
