import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { openDb } from "#app/server/db/client.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation/confirmation.server.ts";
import { type Entry, unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { type ListQuery, listEntries } from "#app/waitlist/entries/entries-page.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { oldUnconfirmed, selectedEntries } from "#app/waitlist/filter/list-entries.server.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { db, explain, freshDatabaseForEachTest, sampleCases } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const hosts = ["one.example", "two.example", "three.example"];

/**
 * Entries with addresses in another order than their ids, some with the same time. Every fifth was imported, and joined
 * before the others. Every third is unsubscribed; every second has the source `stall`. Half have to be confirmed, of which
 * half are.
 */
async function addEntries(count: number) {
  for (let n = 1; n <= count; n += 1) {
    const email = `${"hfbdgace"[n % 8]}${n}@${hosts[n % 3]}`;
    const source = n % 2 === 0 ? "stall" : "landing_page";
    const now = n % 5 === 4 ? NOON - (n % 7) * HOUR : NOON + Math.floor(n / 2);
    const added = await addEntry(db, { email, source, columns: {}, now, mustConfirm: n % 4 > 1 });
    if (n % 4 === 3) await confirmEntry(db, n, now);
    if (n % 3 === 0 && added.kind === "new") await unsubscribeEntry(db, added.id, NOON);
  }
}

const orders = ["newest", "oldest", "address", "address-down"] as const;
const statuses = [undefined, "active", "unconfirmed", "unsubscribed"] as const;
const sources = [undefined, "landing_page", "stall", "nowhere"];
const searches = [undefined, "1@", "two.example"];
const byConfirmation = (["not-asked", "unconfirmed", "confirmed"] as const).flatMap((confirmation) =>
  orders.flatMap((order) => [
    { order, confirmation },
    { order, confirmation, status: "active" as const, search: "1@" },
  ]),
);
const allQueries: Query[] = [
  ...orders.flatMap((order) =>
    statuses.flatMap((status) =>
      sources.flatMap((source) => searches.map((search) => ({ order, status, source, search }))),
    ),
  ),
  ...byConfirmation,
];

const queries = sampleCases(allQueries);

type Query = Omit<ListQuery, "limit" | "after" | "before">;

/** The order of two entries, as the list must have it. */
function compare(query: Query, a: Entry, b: Entry): number {
  const byAddress = a.email < b.email ? -1 : Number(a.email > b.email);
  if (query.search || query.order.startsWith("address")) return query.order === "address-down" ? -byAddress : byAddress;
  const byTime = a.created_at - b.created_at || a.id - b.id;
  return query.order === "oldest" ? byTime : -byTime;
}

/** Active is who may get email. */
function shownStatus({ status, confirm_by, confirmed_at }: Entry): string {
  if (status === "unsubscribed") return status;
  return confirm_by !== null && confirmed_at === null ? "unconfirmed" : "active";
}

function shownConfirmation({ confirm_by, confirmed_at }: Entry): string {
  if (confirm_by === null) return "not-asked";
  return confirmed_at === null ? "unconfirmed" : "confirmed";
}

/** What the list must show, computed in memory. */
function expectedEntries(all: Entry[], query: Query): Entry[] {
  const { status, source, confirmation, search = "" } = query;
  return all
    .filter((entry) => status === undefined || shownStatus(entry) === status)
    .filter((entry) => source === undefined || entry.source === source)
    .filter((entry) => confirmation === undefined || shownConfirmation(entry) === confirmation)
    .filter((entry) => entry.email.includes(search))
    .toSorted((a, b) => compare(query, a, b));
}

/** Like {@link listEntries}, in memory. The cursor need not match the filters. */
function expectedPage(all: Entry[], { after, before, limit, ...query }: ListQuery) {
  const matching = expectedEntries(all, query);
  const cursor = all.find(({ id }) => id === (before ?? after));
  if (cursor === undefined) return toPage(matching.slice(0, limit), false, matching.length > limit);
  const preceding = matching.filter((entry) => compare(query, entry, cursor) < 0);
  if (before !== undefined) return toPage(preceding.slice(-limit), preceding.length > limit, true);
  const following = matching.filter((entry) => compare(query, entry, cursor) > 0);
  return toPage(following.slice(0, limit), true, following.length > limit);
}

function toPage(entries: Entry[], hasPrevious: boolean, hasNext: boolean) {
  return { emails: entries.map(({ email }) => email), hasPrevious, hasNext };
}

async function readPage(query: ListQuery) {
  const { entries, hasPrevious, hasNext } = await listEntries(db, query);
  return toPage(entries, hasPrevious, hasNext);
}

describe("under every filter, search and order", () => {
  test("each page has the right entries in the right order, before and after any entry", async () => {
    await addEntries(6);
    const all = await db.select().from(waitlistEmails);
    const cursors = [{}, ...all.flatMap(({ id }) => [{ after: id }, { before: id }])];
    for (const query of queries) {
      const pages = cursors.map((cursor) => ({ ...query, ...cursor, limit: 2 }));
      const found = await Promise.all(pages.map(readPage));
      for (const [index, page] of pages.entries()) {
        expect(found[index], JSON.stringify(page)).toEqual(expectedPage(all, page));
      }
    }
  });

  test("the pages together list every entry once, forwards and backwards", async () => {
    await addEntries(11);
    const all = await db.select().from(waitlistEmails);
    for (const query of queries) {
      const expected = expectedEntries(all, query).map(({ email }) => email);
      expect(await walk(query), JSON.stringify(query)).toEqual({ forwards: expected, backwards: expected });
    }
  });
});

/** Pages through a whole list, to its end and back. */
async function walk(query: Query) {
  const limit = 3;
  const forwards: string[] = [];
  let page = await listEntries(db, { ...query, limit });
  for (;;) {
    forwards.push(...page.entries.map(({ email }) => email));
    if (!page.hasNext) break;
    page = await listEntries(db, { ...query, limit, after: page.entries.at(-1)?.id });
  }
  const backwards: string[] = [];
  for (;;) {
    backwards.unshift(...page.entries.map(({ email }) => email));
    if (!page.hasPrevious) break;
    page = await listEntries(db, { ...query, limit, before: page.entries[0]?.id });
  }
  return { forwards, backwards };
}

test("a search finds its text anywhere in an address, literally", async () => {
  const emails = ["a_b@example.com", "axb@example.com", "a%@example.com", "ab@example.com", "b@a.example"];
  for (const email of emails) await addEntry(db, { email, source: "landing_page", columns: {}, now: NOON });
  const found = async (search: string) =>
    (await listEntries(db, { order: "newest", search, limit: 9 })).entries.map(({ email }) => email);
  expect(await found("a_")).toEqual(["a_b@example.com"]);
  expect(await found("%@")).toEqual(["a%@example.com"]);
  expect(await found("b@")).toEqual(["a_b@example.com", "ab@example.com", "axb@example.com", "b@a.example"]);
  expect(await found("@example.c")).toEqual(["a%@example.com", "a_b@example.com", "ab@example.com", "axb@example.com"]);
  expect(await found("ab@example.com")).toEqual(["ab@example.com"]);
  expect(await found("")).toHaveLength(5);
  expect(await found("*")).toEqual([]);
  expect(await found("'; DROP TABLE waitlist_emails; --")).toEqual([]);
});

test("an export goes by the time of joining under every filter, and has every entry once", async () => {
  await addEntries(11);
  await eraseEntry(db, 4, NOON);
  const all = await db.select().from(waitlistEmails);
  for (const { order: _, ...selection } of queries.filter(({ order }) => order === "oldest")) {
    const expected = expectedEntries(all, { ...selection, search: "", order: "oldest" });
    const exported = (await Array.fromAsync(selectedEntries(db, { ...selection, search: "" }, 2))).flat();
    expect(
      exported.map(({ id }) => id),
      JSON.stringify(selection),
    ).toEqual(expected.map(({ id }) => id));
  }
});

test("a filter whose matches joined long before the others has all of them", async () => {
  await addEntries(9);
  const later = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10100)";
  await env.DB.prepare(`${later} INSERT INTO waitlist_emails (email, metadata, created_at)
    SELECT 'later' || n || '@example.com', '{}', ? + n FROM numbers`)
    .bind(NOON)
    .run();
  const { entries, hasNext } = await listEntries(db, { order: "newest", source: "stall", limit: 25 });
  expect([entries.map(({ id }) => id), hasNext]).toEqual([[8, 6, 2, 4], false]);
});

describe("rows read", () => {
  async function readsOf(work: (db: ReturnType<typeof openDb>) => Promise<unknown>): Promise<number> {
    const { d1, rowsRead } = meteredD1();
    await work(openDb(d1));
    return rowsRead();
  }

  // 300 entries, a third from another source, and all but every tenth not asked to confirm.
  beforeEach(async () => {
    await env.DB.prepare(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 300)
      INSERT INTO waitlist_emails (email, metadata, source, created_at, confirm_by)
      SELECT 'a' || (n * 7 % 300) || '@example.com', '{}', iif(n % 3, 'stall', 'fair'), ? + n, iif(n % 10, NULL, 9e12)
      FROM numbers`)
      .bind(NOON)
      .run();
  });

  test.each(orders)("without a filter, a page of the order %s reads only what it shows", async (order) => {
    for (const cursor of [{}, { after: 150 }, { before: 150 }]) {
      expect(await readsOf((metered) => listEntries(metered, { order, limit: 25, ...cursor }))).toBeLessThan(60);
    }
  });

  test("under any filter, a page reads the table a few times at most", async () => {
    for (const query of queries) {
      for (const cursor of [{}, { after: 150 }, { before: 150 }]) {
        const reads = await readsOf((metered) => listEntries(metered, { ...query, limit: 25, ...cursor }));
        expect(reads, JSON.stringify({ ...query, ...cursor })).toBeLessThan(1_000);
      }
    }
  });

  test("an export reads each entry once, however many pages it takes", async () => {
    const all = (metered: typeof db) => Array.fromAsync(selectedEntries(metered, { source: "stall" }, 20));
    expect(await readsOf(all)).toBeLessThan(700);
  });

  test("whether someone has yet to confirm is looked up in the index on times", async () => {
    const plan = await explain(oldUnconfirmed(db, NOON));
    expect(plan).toContain("SEARCH waitlist_emails USING INDEX waitlist_emails_created_at (created_at>?)");
  });
});
