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

/** Entries n01 to n09 in that order, in times that do not go with it; every third has left, every second came by `stall`. */
async function nine() {
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

/** Pages through a whole list, forwards and back again. */
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

test("every order, filter and search lists the same entries page by page, there and back, as all at once", async () => {
  await nine();
  for (const query of queries) {
    const { entries } = await listEntries(db, { ...query, limit: 100 });
    const all = entries.map(({ email }) => email);
    expect(await walk(query), JSON.stringify(query)).toEqual({ forwards: all, backwards: all });
    const fits = (entry: (typeof entries)[number]) =>
      entry.status === (query.status ?? entry.status) && entry.source === (query.source ?? entry.source);
    expect(entries.every(fits)).toBe(true);
  }
  const times = async (order: "newest" | "oldest") =>
    (await listEntries(db, { order, limit: 100 })).entries.map(({ created_at }) => created_at - NOON);
  expect(await times("oldest")).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 4]);
  expect(await times("newest")).toEqual([4, 4, 3, 3, 2, 2, 1, 1, 0]);
});

test("a search takes the start of an address as it stands", async () => {
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

test("an entry is found by its whole address alone", async () => {
  await nine();
  expect(await findByEmail(db, "n05@example.com")).toMatchObject({ id: 5 });
  for (const email of ["n05", "n05@example.co", "n0_@example.com", ""]) expect(await findByEmail(db, email)).toBeNull();
});

test("going on from an entry that has been erased begins anew", async () => {
  await nine();
  await eraseEntry(db, 5);
  const { entries } = await listEntries(db, { order: "address", limit: 2, after: 5 });
  expect(entries.map(({ id }) => id)).toEqual([1, 2]);
});

test("an export reads every entry once, in pages", async () => {
  await nine();
  await eraseEntry(db, 4);
  const pages = [];
  for await (const page of allEntries(db, 4)) pages.push(page.map(({ id }) => id));
  expect(pages).toEqual([
    [1, 2, 3, 5],
    [6, 7, 8, 9],
  ]);
});

describe("explained by SQLite", () => {
  const anchor = { id: 5, email: "n05@example.com", created_at: NOON };

  test("no page of the list reads more than it shows, whatever the order, the filters and the place", async () => {
    for (const query of queries) {
      for (const place of [null, anchor]) {
        for (const back of [false, true]) {
          const plan = await explain(entriesPage(db, { ...query, limit: 26 }, place, back));
          const said = `${JSON.stringify({ query, place, back })}\n${plan.join("\n")}`;
          // Merging two halves sorts what each has found, which is a page.
          const sorts = plan.filter((step) => step.includes("TEMP B-TREE"));
          const merged = query.source !== undefined && query.status === undefined;
          expect(sorts.length, said).toBeLessThanOrEqual(merged ? 2 : 0);
          const reads = plan.filter((step) => step.includes("waitlist_emails"));
          expect(reads.length, said).toBeGreaterThan(0);
          // The whole list in an order of its index stops at the page's end; all else is looked up.
          const free = query.status === undefined && query.source === undefined && !query.search && place === null;
          const allowed = free ? /USING INDEX waitlist_emails_(created_at|email)$/ : /^SEARCH /;
          expect(
            reads.filter((step) => !allowed.test(step)),
            said,
          ).toEqual([]);
        }
      }
    }
  });

  test("a filter's every column is looked up, not read over", async () => {
    const plan = await explain(
      entriesPage(db, { order: "newest", status: "active", source: "stall", limit: 26 }, anchor, false),
    );
    expect(plan.join()).toContain("(source=? AND status=? AND created_at<?)");
    const search = { order: "address", status: "active", source: "stall", search: "n0", limit: 26 } as const;
    expect((await explain(entriesPage(db, search, null, false))).join()).toContain(
      "(source=? AND status=? AND email>? AND email<?)",
    );
  });

  test("the charts read counters and indexes", async () => {
    for (const [name, query] of Object.entries(statsQueries(db, lastLocalDays(NOON, 90, "UTC")))) {
      const plan = await explain(query);
      const scans = plan.filter((step) => /^SCAN /.test(step) && !/SCAN (json_each|some|\(subquery)/.test(step));
      const limited = /^SCAN mail_outbox USING INDEX mail_outbox_(due|dead)$/;
      expect(
        scans.filter((step) => !limited.test(step)),
        `${name}\n${plan.join("\n")}`,
      ).toEqual([]);
      expect(plan.join()).not.toContain("waitlist_emails");
    }
  });

  test("the export goes on where it was", async () => {
    expect(await explain(exportPage(db, 5, 100))).toEqual([
      "SEARCH waitlist_emails USING INTEGER PRIMARY KEY (rowid>?)",
    ]);
  });
});
