import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { openDb } from "#app/server/db/client.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation.server.ts";
import { confirmationOf } from "#app/waitlist/confirmation.ts";
import { type Entry, unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import {
  type ListQuery,
  listEntries,
  pageByAddress,
  pageByTime,
  scanByTime,
} from "#app/waitlist/entries-page.server.ts";
import { eraseEntry } from "#app/waitlist/erase-entries.server.ts";
import { exportPage, oldUnconfirmed, selectedEntries } from "#app/waitlist/list-entries.server.ts";
import { sampleCases } from "#tests/support/pool/cases.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/database.ts";
import { explain } from "#tests/support/pool/explain.ts";

freshDatabaseForEachTest();

const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const db = openDb(env.DB);

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

/** What the list must show, computed in memory. */
function expectedEntries(all: Entry[], query: Query): Entry[] {
  const { status, source, confirmation, search = "" } = query;
  return all
    .filter((entry) => status === undefined || shownStatus(entry) === status)
    .filter((entry) => source === undefined || entry.source === source)
    .filter((entry) => confirmation === undefined || confirmationOf(entry) === confirmation)
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

test("continuing after an erased entry starts from the beginning", async () => {
  await addEntries(9);
  await eraseEntry(db, 5, NOON);
  const first = await readPage({ order: "address", limit: 2 });
  for (const cursor of [{ after: 5 }, { before: 5 }]) {
    expect(await readPage({ order: "address", limit: 2, ...cursor })).toEqual(first);
  }
});

/** Adds someone while the list is being read. */
async function addLater(time: number, source: string) {
  const created_at = Math.floor(time);
  const email = `${crypto.randomUUID()}@later.example`;
  const metadata = { signup_platform: "web" as const, signup_date: "" };
  await db.insert(waitlistEmails).values({ email, metadata, source, created_at });
}

test("an export reads every entry once, in pages", async () => {
  await addEntries(9);
  await eraseEntry(db, 4, NOON);
  const pages = [];
  for await (const page of selectedEntries(db, {}, 4)) pages.push(page.map(({ id }) => id));
  expect(pages).toEqual([
    [9, 1, 2, 3],
    [5, 6, 7, 8],
  ]);
});

test("an export goes by the time of joining under every filter", async () => {
  await addEntries(11);
  const all = await db.select().from(waitlistEmails);
  for (const { order: _, ...selection } of queries.filter(({ order }) => order === "oldest")) {
    const expected = expectedEntries(all, { ...selection, search: "", order: "oldest" });
    const exported = (await Array.fromAsync(selectedEntries(db, { ...selection, search: "" }, 2))).flat();
    const entries = exported.map(({ friends_counted: _, milestone: __, ...entry }) => entry);
    expect(entries, JSON.stringify(selection)).toEqual(expected);
  }
});

test("while people join and are imported, the pages list those who were there once", async () => {
  await addEntries(9);
  // In another order than the ids, with time between them.
  await env.DB.exec("UPDATE waitlist_emails SET created_at = id * 7 % 10 * 1000");
  const before = (await db.select().from(waitlistEmails)).map(({ id }) => id);
  for (const order of ["newest", "oldest"] as const) {
    for (const source of [undefined, "stall"]) {
      const seen: number[] = [];
      for (
        let [after, hasNext, pages] = [undefined as number | undefined, true, 0];
        hasNext && pages < 30;
        pages += 1
      ) {
        const page = await listEntries(db, { order, source, after, limit: 2 });
        seen.push(...page.entries.map(({ id }) => id).filter((id) => before.includes(id)));
        ({ hasNext } = page);
        after = page.entries.at(-1)?.id;
        // One who joined with the first of this page, and one who joined between them.
        const [top, last] = [page.entries[0]?.created_at ?? 0, page.entries.at(-1)?.created_at ?? 0];
        if (top !== last) for (const time of [top, (top + last) / 2]) await addLater(time, "stall");
      }
      const all = await db.select().from(waitlistEmails);
      const expected = expectedEntries(all, { order, source }).map(({ id }) => id);
      expect(seen, `${order}, ${source}`).toEqual(expected.filter((id) => before.includes(id)));
    }
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
  expect(entries.map(({ id }) => id)).toEqual(
    expectedEntries(entries, { order: "newest", source: "stall" }).map(({ id }) => id),
  );
  expect([entries.length, hasNext]).toEqual([4, false]);
});

describe("query plans", () => {
  const cursor = { id: 5, email: "a5@three.example", created_at: NOON };
  const walk = "SEARCH waitlist_emails USING INDEX waitlist_emails_created_at";

  /** The plans of a page in both directions: from the start of the list, and from a cursor. */
  async function plansOf(query: Query, page: typeof pageByAddress) {
    const plans = async (position: typeof cursor | null) => {
      const plan = (back: boolean) => explain(page(db, { ...query, limit: 26 }, position, back));
      return [await plan(false), await plan(true)];
    };
    return { start: await plans(null), middle: await plans(cursor) };
  }
  const both = (plan: string[]) => [plan, plan];
  const near: typeof pageByAddress = (...query) => pageByTime(...query, 10_000);
  const isByAddress = ({ order, search }: Query) => order.startsWith("address") || search;

  test("without a filter, a page reads only what it shows", async () => {
    for (const order of ["newest", "oldest"] as const) {
      const { start, middle } = await plansOf({ order }, near);
      expect(start, order).toEqual(both(["SCAN waitlist_emails USING INDEX waitlist_emails_created_at"]));
      for (const plan of middle) expect(plan, order).toEqual([expect.stringMatching(walk)]);
    }
    for (const order of ["address", "address-down"] as const) {
      const { start, middle } = await plansOf({ order }, pageByAddress);
      expect(start, order).toEqual(both(["SCAN waitlist_emails USING INDEX waitlist_emails_email"]));
      for (const plan of middle) {
        expect(plan, order).toEqual([
          expect.stringMatching(/^SEARCH waitlist_emails USING INDEX waitlist_emails_email/),
        ]);
      }
    }
  });

  const filtered = queries.filter(
    ({ status, source, confirmation, search }) => status || source || confirmation || search,
  );

  test("under a filter, a page by address reads the table once, never an index", async () => {
    for (const query of filtered.filter(isByAddress)) {
      const suppression = "SEARCH suppressions USING INDEX sqlite_autoindex_suppressions_1 (address_hash=?)";
      const lookUp = query.status === "active" ? ["CORRELATED SCALAR SUBQUERY 1", suppression] : [];
      const scan = ["SCAN waitlist_emails", ...lookUp, "USE TEMP B-TREE FOR ORDER BY"];
      const { start, middle } = await plansOf(query, pageByAddress);
      expect([start, middle], JSON.stringify(query)).toEqual([both(scan), both(scan)]);
    }
  });

  test("under a filter, the nearest entries are walked without sorting, and a scan reads the table once", async () => {
    for (const query of filtered.filter((each) => !isByAddress(each))) {
      const nearest = await plansOf(query, near);
      for (const plan of [...nearest.start, ...nearest.middle]) {
        expect(plan[0], JSON.stringify(query)).toMatch(walk);
        expect(plan.join()).not.toContain("TEMP B-TREE");
      }
      const scans = await plansOf(query, scanByTime);
      for (const plan of [...scans.start, ...scans.middle]) {
        expect(plan.filter((step) => step.startsWith("SCAN"))).toEqual(["SCAN waitlist_emails"]);
      }
    }
  });

  test("whether someone has yet to confirm is looked up in the index on times", async () => {
    const plan = await explain(oldUnconfirmed(db, NOON));
    expect(plan).toContain(`${walk} (created_at>?)`);
    expect(plan.join()).not.toMatch(/TEMP B-TREE|SCAN waitlist_emails/);
  });

  test("the export continues in the index on times", async () => {
    const plan = await explain(exportPage(db, { source: "stall" }, { id: 5, created_at: NOON }, 100));
    expect(plan.filter((step) => step.includes("waitlist_emails"))).toEqual([`${walk} (created_at>?)`]);
    expect(plan.join()).not.toMatch(/TEMP B-TREE|SCAN/);
  });
});
