import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import {
  allEntries,
  entriesPage,
  exportPage,
  findByEmail,
  type ListQuery,
  listEntries,
} from "#app/owner/entries.server.ts";
import { statsQueries } from "#app/owner/stats.server.ts";
import { lastLocalDays } from "#app/owner/time-zone-days.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { addEntry, eraseEntry, unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/database.ts";
import { explain } from "#tests/support/pool/explain.ts";

freshDatabaseForEachTest();

const NOON = Date.UTC(2026, 10, 21, 12);
const db = openDb(env.DB);

/** Entries n01 to n09, with times in another order. Every third is unsubscribed; every second has the source `stall`. */
async function addNineEntries() {
  for (let n = 1; n <= 9; n += 1) {
    const source = n % 2 === 0 ? "stall" : "landing_page";
    const added = await addEntry(db, { email: `n0${n}@example.com`, source, columns: {}, now: NOON + ((n * 4) % 5) });
    if (n % 3 === 0 && added.kind === "new") await unsubscribeEntry(db, added.id, NOON);
  }
}

const orders = ["newest", "oldest", "address", "address-down"] as const;
const statuses = [undefined, "active", "unsubscribed"] as const;
const sources = [undefined, "landing_page", "stall", "nowhere"];
const queries = orders.flatMap((order) =>
  statuses.flatMap((status) =>
    sources.flatMap((source) => [undefined, "n0"].map((search) => ({ order, status, source, search }))),
  ),
);

/** Pages through a whole list, forwards and backwards. */
async function walk(query: Omit<ListQuery, "limit">, limit = 2) {
  const seen: string[][] = [];
  let page = await listEntries(db, { ...query, limit });
  expect(page.hasPrevious).toBe(false);
  for (; ; page = await listEntries(db, { ...query, limit, after: page.entries.at(-1)?.id })) {
    seen.push(page.entries.map(({ email }) => email));
    if (!page.hasNext) break;
  }
  const back = [page.entries.map(({ email }) => email)];
  while (page.hasPrevious && page.entries[0] !== undefined) {
    page = await listEntries(db, { ...query, limit, before: page.entries[0].id });
    if (page.entries.length > 0) back.unshift(page.entries.map(({ email }) => email));
  }
  return { forwards: seen.flat(), backwards: back.flat() };
}

test("every order, filter and search lists the same entries in pages, in both directions, as at once", async () => {
  await addNineEntries();
  for (const query of queries) {
    const { entries } = await listEntries(db, { ...query, limit: 100 });
    const all = entries.map(({ email }) => email);
    expect(await walk(query), JSON.stringify(query)).toEqual({ forwards: all, backwards: all });
    const matches = (entry: (typeof entries)[number]) =>
      entry.status === (query.status ?? entry.status) && entry.source === (query.source ?? entry.source);
    expect(entries.every(matches)).toBe(true);
  }
  const times = async (order: "newest" | "oldest") =>
    (await listEntries(db, { order, limit: 100 })).entries.map(({ created_at }) => created_at - NOON);
  expect(await times("oldest")).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 4]);
  expect(await times("newest")).toEqual([4, 4, 3, 3, 2, 2, 1, 1, 0]);
});

test("a search treats the prefix literally", async () => {
  for (const email of ["a_b@example.com", "axb@example.com", "a%@example.com", "ab@example.com", "b@example.com"]) {
    await addEntry(db, { email, source: "landing_page", columns: {}, now: NOON });
  }
  const found = async (search: string) =>
    (await listEntries(db, { order: "newest", search, limit: 9 })).entries.map(({ email }) => email);
  expect(await found("a_")).toEqual(["a_b@example.com"]);
  expect(await found("a%")).toEqual(["a%@example.com"]);
  expect(await found("a")).toEqual(["a%@example.com", "a_b@example.com", "ab@example.com", "axb@example.com"]);
  expect(await found("ab@example.com")).toEqual(["ab@example.com"]);
  expect(await found("")).toHaveLength(5);
  expect(await found("'; DROP TABLE waitlist_emails; --")).toEqual([]);
});

test("an entry is found only by its complete address", async () => {
  await addNineEntries();
  expect(await findByEmail(db, "n05@example.com")).toMatchObject({ id: 5 });
  for (const email of ["n05", "n05@example.co", "n0_@example.com", ""]) expect(await findByEmail(db, email)).toBeNull();
});

test("continuing after an erased entry starts from the beginning", async () => {
  await addNineEntries();
  await eraseEntry(db, 5);
  const { entries } = await listEntries(db, { order: "address", limit: 2, after: 5 });
  expect(entries.map(({ id }) => id)).toEqual([1, 2]);
});

test("an export reads every entry once, in pages", async () => {
  await addNineEntries();
  await eraseEntry(db, 4);
  const pages = [];
  for await (const page of allEntries(db, 4)) pages.push(page.map(({ id }) => id));
  expect(pages).toEqual([
    [1, 2, 3, 5],
    [6, 7, 8, 9],
  ]);
});

describe("query plans", () => {
  const cursor = { id: 5, email: "n05@example.com", created_at: NOON };

  test("no page of the list reads more than it shows, for any order, filters and position", async () => {
    for (const query of queries) {
      for (const position of [null, cursor]) {
        for (const back of [false, true]) {
          const plan = await explain(entriesPage(db, { ...query, limit: 26 }, position, back));
          const context = `${JSON.stringify({ query, position, back })}\n${plan.join("\n")}`;
          // Merging the two halves sorts one page of each.
          const sorts = plan.filter((step) => step.includes("TEMP B-TREE"));
          const merged = query.source !== undefined && query.status === undefined;
          expect(sorts.length, context).toBeLessThanOrEqual(merged ? 2 : 0);
          const reads = plan.filter((step) => step.includes("waitlist_emails"));
          expect(reads.length, context).toBeGreaterThan(0);
          // The unfiltered first page scans an index and stops at its end; everything else is a search.
          const isUnfiltered =
            query.status === undefined && query.source === undefined && !query.search && position === null;
          const allowed = isUnfiltered ? /USING INDEX waitlist_emails_(created_at|email)$/ : /^SEARCH /;
          expect(
            reads.filter((step) => !allowed.test(step)),
            context,
          ).toEqual([]);
        }
      }
    }
  });

  test("every filter column is part of the index search", async () => {
    const plan = await explain(
      entriesPage(db, { order: "newest", status: "active", source: "stall", limit: 26 }, cursor, false),
    );
    expect(plan.join()).toContain("(source=? AND status=? AND created_at<?)");
    const search = { order: "address", status: "active", source: "stall", search: "n0", limit: 26 } as const;
    expect((await explain(entriesPage(db, search, null, false))).join()).toContain(
      "(source=? AND status=? AND email>? AND email<?)",
    );
  });

  test("stats read only counters and indexes", async () => {
    for (const [name, query] of Object.entries(statsQueries(db, lastLocalDays(NOON, 90, "UTC")))) {
      const plan = await explain(query);
      const scans = plan.filter((step) => /^SCAN /.test(step) && !/SCAN (json_each|sample|\(subquery)/.test(step));
      const limited = /^SCAN mail_outbox USING INDEX mail_outbox_(due|dead)$/;
      expect(
        scans.filter((step) => !limited.test(step)),
        `${name}\n${plan.join("\n")}`,
      ).toEqual([]);
      expect(plan.join()).not.toContain("waitlist_emails");
    }
  });

  test("the export continues by primary key", async () => {
    expect(await explain(exportPage(db, 5, 100))).toEqual([
      "SEARCH waitlist_emails USING INTEGER PRIMARY KEY (rowid>?)",
    ]);
  });
});
