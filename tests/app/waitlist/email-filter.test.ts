import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { openDb } from "#app/server/db/client.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { type ListQuery, listEntries } from "#app/waitlist/entries/entries-page.server.ts";
import { type EmailFilter, emailFilterValue, parseEmailFilter } from "#app/waitlist/filter/email-filter.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { db, freshDatabaseForEachTest, seedEntries } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();
const NOW = Date.UTC(2026, 10, 21);

/** What becomes of the emails of `a1@example.com`, `b2@example.com` …, in turn. */
const outcomes = [
  "done_at = 5",
  "reason = 'timed-out'",
  "dead_at = 5, reason = 'complaint'",
  "reason = NULL",
  "dead_at = 5, reason = 'rejected'",
  "done_at = 5, soft_bounced_at = 6",
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
  [{ state: "unknown" }, []],
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

test("failed and waiting emails are found without reading those that were sent", async () => {
  await seedEntries(300, NOW);
  await env.DB.exec("UPDATE email_outbox SET done_at = 5 WHERE entry_id % 100 <> 0");
  await env.DB.exec("UPDATE email_outbox SET dead_at = 5, reason = 'complaint' WHERE entry_id = 100");
  const { d1, rowsRead } = meteredD1();
  for (const email of [{ state: "dead", reason: "complaint" }, { state: "waiting" }] as const) {
    await listEntries(openDb(d1), { order: "address", limit: 25, email });
  }
  expect(rowsRead()).toBeLessThan(100);
});

test.each([
  [{ state: "sent" }, "sent"],
  [{ state: "waiting", reason: null }, "waiting.none"],
  [{ state: "dead", reason: "complaint" }, "dead.complaint"],
] as const)("the filter %j is %s in a URL", (filter, value) => {
  expect(emailFilterValue(filter)).toBe(value);
  expect(parseEmailFilter(value)).toEqual(filter);
});

test.each(["", "lost", "dead.x", "dead.complaint.x", "toString", "dead.toString", ".complaint", "dead complaint"])(
  "%j is no such filter",
  (value) => expect(parseEmailFilter(value)).toBeUndefined(),
);
