import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { keyedHash } from "#app/server/address-hash.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { emailReasons } from "#app/server/db/email-reasons.ts";
import { type SuppressionReason, suppressions } from "#app/server/db/schema/email.server.ts";
import type { EmailFilter } from "#app/server/db/schema/entry-filter.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { emailFilterOptions, emailFilterValue, parseEmailFilter } from "#app/waitlist/email-filter.ts";
import { unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import {
  type ListQuery,
  listEntries,
  pageByAddress,
  pageByTime,
  scanByTime,
} from "#app/waitlist/entries-page.server.ts";
import { findSuppression } from "#app/waitlist/list-entries.server.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/database.ts";
import { explain } from "#tests/support/pool/explain.ts";

freshDatabaseForEachTest();
const db = openDb(env.DB);
const NOW = Date.UTC(2026, 10, 21);

/** What becomes of the emails of `a1@example.com`, `b2@example.com` …, in turn. */
const outcomes = [
  "sent_at = 5",
  "reason = 'timed-out'",
  "dead_at = 5, reason = 'complaint'",
  "reason = NULL",
  "dead_at = 5, reason = 'rejected'",
  "sent_at = 5, soft_bounced_at = 6",
];

async function addEntries(): Promise<void> {
  for (const [index, outcome] of outcomes.entries()) {
    const id = index + 1;
    const email = `${"dafceb"[index]}${id}@example.com`;
    await addEntry(db, { email, source: "landing_page", columns: {}, disposable: id % 2 === 0, now: NOW });
    await env.DB.prepare(`UPDATE email_outbox SET ${outcome} WHERE entry_id = ?`).bind(id).run();
  }
  const ownerEmail = "INSERT INTO email_outbox (id, kind, dedupe_key, priority, next_attempt_at, created_at, dead_at)";
  await env.DB.prepare(`${ownerEmail} VALUES ('d', 'digest', 'digest', 2, 0, 0, 1)`).run();
}

async function ids(query: Partial<ListQuery>): Promise<number[]> {
  return (await listEntries(db, { order: "oldest", limit: 99, ...query })).entries.map(({ id }) => id);
}

test.each<[EmailFilter, number[]]>([
  [{ state: "sent" }, [1, 6]],
  [{ state: "waiting" }, [2, 4]],
  [{ state: "waiting", reason: "timed-out" }, [2]],
  [{ state: "waiting", reason: null }, [4]],
  [{ state: "dead" }, [3, 5]],
  [{ state: "dead", reason: "complaint" }, [3]],
  [{ state: "dead", reason: "timed-out" }, []],
])("the list by emails %j has the entries %j", async (email, expected) => {
  await addEntries();
  expect(await ids({ email })).toEqual(expected);
  expect(await ids({ email, order: "newest" })).toEqual(expected.toReversed());
  const byAddress = expected.toSorted((a, b) => "dafceb".charCodeAt(a - 1) - "dafceb".charCodeAt(b - 1));
  expect(await ids({ email, order: "address" })).toEqual(byAddress);
  expect(await ids({ email, order: "address-down" })).toEqual(byAddress.toReversed());
  expect(await ids({ email, search: "@example" })).toEqual(byAddress);
  for (const [index, after] of byAddress.entries()) {
    expect(await ids({ email, order: "address", after })).toEqual(byAddress.slice(index + 1));
    expect(await ids({ email, order: "address", before: after })).toEqual(byAddress.slice(0, index));
  }
});

test("an entry with several emails is listed once, under each of their states", async () => {
  await addEntries();
  await unsubscribeEntry(db, 1, NOW);
  await addEntry(db, { email: "d1@example.com", source: "landing_page", columns: {}, now: NOW });
  expect(await ids({ email: { state: "sent" } })).toContain(1);
  expect(await ids({ email: { state: "waiting" } })).toEqual([1, 2, 4]);
});

test("throwaway addresses are a filter, alone and with others", async () => {
  await addEntries();
  expect(await ids({ disposable: true })).toEqual([2, 4, 6]);
  expect(await ids({ disposable: false })).toEqual([1, 3, 5]);
  expect(await ids({ disposable: true, email: { state: "waiting" }, status: "active", search: "c4" })).toEqual([4]);
});

describe("with a long list", () => {
  type Page = (...page: Parameters<typeof scanByTime>) => Parameters<typeof explain>[0];
  const plan = async (email: ListQuery["email"], order: "newest" | "address", byTime: Page = scanByTime) => {
    const queried = order === "address" ? pageByAddress : byTime;
    return (await explain(queried(db, { email, order, limit: 26 }, null, false))).join("; ");
  };

  test("dead and waiting emails are found by their own index, in every order", async () => {
    for (const order of ["newest", "address"] as const) {
      const dead = await plan({ state: "dead", reason: "complaint" }, order);
      expect(dead).toMatch(/waitlist_emails USING INTEGER PRIMARY KEY .*USING INDEX email_outbox_dead_at/);
      const waiting = await plan({ state: "waiting" }, order);
      expect(waiting).toMatch(/waitlist_emails USING INTEGER PRIMARY KEY .*USING INDEX email_outbox_due/);
    }
  });

  test("sent emails are looked up by entry, along the order, until the page is full", async () => {
    for (const order of ["newest", "address"] as const) {
      const sent = await plan({ state: "sent" }, order, (...page) => pageByTime(...page, 10_000));
      expect(sent).toContain("USING INDEX email_outbox_entry_id (entry_id=?)");
      expect(sent).not.toMatch(/TEMP B-TREE/);
    }
  });
});

describe("a filter as a value of a URL", () => {
  const reasons = Object.keys(emailReasons) as (keyof typeof emailReasons)[];
  const filters = (["sent", "waiting", "dead"] as const).flatMap((state): EmailFilter[] => [
    { state },
    { state, reason: null },
    ...reasons.map((reason) => ({ state, reason })),
  ]);

  test("is read back, and never needs encoding", () => {
    for (const filter of filters) {
      const value = emailFilterValue(filter);
      expect(parseEmailFilter(value)).toEqual(filter);
      expect(encodeURIComponent(value)).toBe(value);
      expect(emailFilterOptions(value)).toHaveProperty([value]);
    }
  });

  test.each([
    "",
    "lost",
    "dead.",
    "dead.x",
    "dead.complaint.x",
    "toString",
    "dead.toString",
    ".complaint",
    "dead complaint",
  ])("%j is not one", (value) => expect(parseEmailFilter(value)).toBeUndefined());
});

test.each<[SuppressionReason, number | null, boolean]>([
  ["complaint", null, true],
  ["never", null, true],
  ["hard-bounce", NOW + 1, true],
  ["hard-bounce", NOW, false],
])("a suppression for %s until %s is found: %s", async (reason, until, isFound) => {
  const hashKey = env.HASH_KEY;
  const address_hash = await keyedHash("address:v1", "ada@example.com", hashKey);
  await db.insert(suppressions).values({ address_hash, reason, until, created_at: 1 });
  const deps = { db, hashKey, now: () => NOW };
  expect(await findSuppression(deps, "ada@example.com")).toEqual(isFound ? { reason, until } : null);
  expect(await findSuppression(deps, "bob@example.com")).toBeNull();
});
