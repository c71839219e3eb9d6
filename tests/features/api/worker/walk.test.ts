import { env } from "cloudflare:test";
import { getTableColumns } from "drizzle-orm";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { applyProviderEvent } from "#app/email/provider-events.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { forgetChanges } from "#app/waitlist/entries/entry-changes.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { newKey } from "#tests/features/api/pool/api-contract.ts";
import { type CopiedEntry, Crm } from "#tests/features/api/pool/crm.ts";
import { playD1Clock } from "#tests/features/api/pool/d1-clock.ts";
import { listWalk } from "#tests/features/api/pool/list-walk.ts";
import { unlimitedRates } from "#tests/support/pool/failures.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import { addEntries, db, execute, freshStorageForEachTest, join, needs, rows } from "#tests/support/pool/start.ts";

/* Walks through the list with `order=changed`, at every boundary. */

needs("api");
freshStorageForEachTest();

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Gives entries a note, each a new one, in one statement. */
const note = (from: number, to = from) =>
  execute("UPDATE waitlist_emails SET owner_note = hex(randomblob(8)) WHERE id BETWEEN ? AND ?", from, to);

/** As an import does. */
const importPeople = (name: string, count: number) =>
  execute(
    `INSERT INTO waitlist_emails (email, metadata, created_at, import_id)
    SELECT ? || key || '@example.com', '{}', 1000 + key, 1 FROM json_each(?)`,
    name,
    JSON.stringify(Array(count).fill(0)),
  );

async function start(entries: number) {
  const walk = listWalk(await newKey());
  if (entries > 0) await addEntries(entries, Date.now() - 10 * MINUTE);
  return walk;
}

/** The copy is the list. */
async function expectCopy(copy: ReadonlyMap<number, CopiedEntry>) {
  const list = await rows<{ id: number; email: string; owner_note: string | null }>("waitlist_emails");
  const copied = [...copy.values()].toSorted((a, b) => a.id - b.id);
  expect(copied.map(({ id, email, note: text }) => [id, email, text])).toEqual(
    list.map(({ id, email, owner_note }) => [id, email, owner_note]),
  );
}

const timesSeen = ({ seen }: ReturnType<typeof listWalk>) => [...seen.values()];

describe("a walk has everyone", () => {
  test.each([
    ["of no one", 0, "50", [0]],
    ["with pages of one", 5, "1", [1, 1, 1, 1, 1]],
    ["with pages that are exactly full", 300, "100", [100, 100, 100]],
    ["with one entry more than full pages", 201, "100", [100, 100, 1]],
    ["with a page that is not full", 30, "100", [30]],
  ])("once, %s", async (_, entries, limit, sizes) => {
    const walk = await start(entries);
    const { pages } = await walk.walk({ limit });
    expect(pages.map((page) => page.entries.length)).toEqual(sizes);
    expect(pages.map(({ sync_cursor }) => sync_cursor !== null)).toEqual(
      pages.map((_page, at) => at === pages.length - 1),
    );
    await expectCopy(walk.copy);
  });

  const cases: [name: string, between: (page: number) => Promise<unknown>, seen: Record<number, number>][] = [
    ["an entry behind the cursor changes", async (page) => page === 1 && note(2), { 2: 2 }],
    ["an entry ahead of the cursor changes", async (page) => page === 1 && note(20), { 20: 1 }],
    [
      "the last entry of a page changes, and the first of the next",
      async (page) => page === 1 && note(4, 5),
      { 4: 2, 5: 1 },
    ],
    ["the same entry changes after each page", async () => note(1), { 1: 7 }],
    ["an entry behind is erased", async (page) => page === 2 && eraseEntry(db, 3, Date.now()), { 3: 1 }],
    ["an entry ahead is erased", async (page) => page === 2 && eraseEntry(db, 19, Date.now()), {}],
    [
      "an entry changes and is erased then, behind and ahead",
      async (page) => {
        if (page !== 2) return;
        for (const id of [3, 19]) await note(id).then(() => eraseEntry(db, id, Date.now()));
      },
      { 3: 1 },
    ],
    ["someone joins after each page", async (page) => join(`new${page}@example.com`), { 21: 1, 25: 1 }],
    [
      "the last one is erased, and another one joins",
      async (page) => {
        if (page !== 2) return;
        await eraseEntry(db, 20, Date.now());
        await join("new@example.com");
      },
      { 21: 1 },
    ],
    [
      "people are imported who joined long ago",
      async (page) => page === 2 && importPeople("late", 10),
      { 21: 1, 30: 1 },
    ],
    ["all behind change in one statement", async (page) => page === 3 && note(1, 12), { 1: 2, 12: 2, 13: 1 }],
    [
      "all change in one statement, several times",
      async (page) => page === 3 && note(1, 20).then(() => note(1, 20)),
      {},
    ],
    ["nobody is left", async (page) => page === 2 && execute("DELETE FROM waitlist_emails"), { 1: 1, 8: 1 }],
  ];

  describe.each([
    ["", false],
    [", while D1's clock stands still", true],
  ])("of 20 on pages of four%s", (_, isStill) => {
    test.each(cases)("when %s", async (_name, between, seen) => {
      if (isStill) await playD1Clock(Date.now());
      const walk = await start(20);
      await walk.walk({ limit: "4" }, between);
      await expectCopy(walk.copy);
      expect(Object.fromEntries(walk.seen)).toMatchObject(seen);
    });
  });
});

describe("a later walk has what has changed since", () => {
  test("many changes of a few entries, each at most as often as pages need", async () => {
    const walk = await start(50);
    const { sync } = await walk.walk({});
    walk.seen.clear();
    for (let time = 0; time < 30; time += 1) for (const id of [3, 40, 41]) await note(id);
    const { pages } = await walk.walk({ limit: "20", cursor: sync });
    expect([...walk.seen.keys()].toSorted()).toEqual([3, 40, 41]);
    expect(pages).toHaveLength(5);
    expect(Math.max(...timesSeen(walk))).toBeLessThanOrEqual(5);
    await expectCopy(walk.copy);
  });

  test("of which pages are exactly full, and the last one is empty", async () => {
    const walk = await start(100);
    const { sync } = await walk.walk({});
    await note(1, 100);
    const { pages } = await walk.walk({ limit: "50", cursor: sync });
    expect(pages.map((page) => page.entries.length)).toEqual([50, 50, 0]);
    await expectCopy(walk.copy);
  });

  test("also if D1's clock has gone back meanwhile", async () => {
    const now = Date.now();
    const setClock = await playD1Clock(now);
    const walk = await start(5);
    await note(1);
    const { sync } = await walk.walk({});
    await setClock(now - 5 * MINUTE);
    await note(2);
    await eraseEntry(db, 3, Date.now());
    await walk.walk({ cursor: sync });
    await expectCopy(walk.copy);
  });

  test("from a time: joined, changed, imported and erased since, and not the others", async () => {
    const now = Date.now();
    const setClock = await playD1Clock(now - 60 * MINUTE);
    const key = await newKey();
    await execute("UPDATE api_keys SET created_at = created_at - ?", 90 * MINUTE);
    await addEntries(30, now - 100 * MINUTE);
    const copied = await rows<{ id: number }>("waitlist_emails");
    await note(1, 5);
    await setClock(now - 30 * MINUTE);
    await note(5, 7);
    await eraseEntry(db, 9, now);
    await importPeople("late", 3);
    const joined = await join("new@example.com", { now: now - 20 * MINUTE });
    const walk = listWalk(key);
    await walk.walk({ changed_since: new Date(now - 40 * MINUTE).toISOString() });
    expect([...walk.copy.keys()].toSorted((a, b) => a - b)).toEqual([5, 6, 7, 31, 32, 33, joined]);
    expect(copied).toHaveLength(30);
    const { pages } = await listWalk(key).walk({
      changed_since: new Date(now - 40 * MINUTE).toISOString(),
      limit: "1",
    });
    expect(pages.flatMap(({ erased }) => erased)).toEqual([9]);
  });
});

test("a page reads at most nine rows for each entry and ten more, however long the list and the record are", async () => {
  const walk = await start(300);
  for (let time = 0; time < 5; time += 1) await note(1, 300);
  const { sync } = await walk.walk({ limit: "20" });
  await note(1, 80);
  await walk.walk({ limit: "20", cursor: sync });
  // From a time: finds the first who joined since.
  await execute("DELETE FROM entry_changes");
  await walk.walk({ limit: "20", changed_since: new Date().toISOString() });
  expect(walk.rowsRead).toHaveLength(21);
  expect(Math.max(...walk.rowsRead)).toBeLessThanOrEqual(9 * 20 + 10);
});

test("a program that was off for longer than changes are known begins again, and drops who was erased", async () => {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now });
  onTestFinished(() => void vi.useRealTimers());
  const setClock = await playD1Clock(now);
  const [key, site] = [await newKey(), apiSite(unlimitedRates)];
  const crm = new Crm({ fetch: site.request, wait: async () => {} }, { key, secret: "whsec_AA==" });
  await addEntries(150, now - 200);
  await crm.sync();
  await eraseEntry(db, 7, now);
  const later = now + 40 * DAY;
  vi.setSystemTime(later);
  await setClock(later);
  await note(8);
  await forgetChanges(db, later, 1_000);
  await crm.sync();
  await expectCopy(crm.people);
  await eraseEntry(db, 9, later);
  await crm.sync();
  await expectCopy(crm.people);
});

describe("what counts as a change", () => {
  const { id: _, created_at: _never, ...columns } = getTableColumns(waitlistEmails);
  const values: Record<string, unknown> = {
    email: "bob@example.com",
    status: "unsubscribed",
    unsubscribe_reason: "owner",
    answers: '{"town":"Usk"}',
    metadata: '{"signup_platform":"import"}',
    early_adopter: 0,
    verified: 1,
    disposable: 1,
  };

  test.each(Object.keys(columns))("%s, if an entry shows it, once", async (name) => {
    const key = await newKey();
    const walk = listWalk(key);
    const id = await join("ada@example.com");
    const { sync } = await walk.walk({});
    // The list: the page of an entry has its emails too, which are no change.
    const get = async () => {
      const response = await apiSite().request("/api/v1/entries", { headers: { Authorization: `Bearer ${key}` } });
      return response.json();
    };
    const before = await get();
    const value =
      values[name] ?? (columns[name as keyof typeof columns].dataType === "string" ? "x" : 1_700_000_000_000);
    for (let time = 0; time < 2; time += 1) await execute(`UPDATE waitlist_emails SET ${name} = ?`, value);
    const isShown = JSON.stringify(before) !== JSON.stringify(await get());
    expect((await rows("entry_changes")).length).toBe(isShown ? 1 : 0);
    const { pages } = await walk.walk({ cursor: sync });
    expect(pages.flatMap(({ entries }) => entries.map((entry) => entry.id))).toEqual(isShown ? [id] : []);
  });

  test("a bounce, once, also of an email that is forgotten", async () => {
    const walk = listWalk(await newKey());
    const deps = { db, now: Date.now, emailContext: { hashKey: env.HASH_KEY, ownerEmails: [] } };
    const bounce = (recipient: string, emailId: string | null) => {
      const about = emailId === null ? null : { emailId };
      return applyProviderEvent(deps, { id: `bounce of ${recipient}`, kind: "hard-bounce", about, recipient });
    };
    for (const name of ["ada", "bob"]) await join(`${name}@example.com`);
    await execute("UPDATE email_outbox SET done_at = 1, first_attempt_at = 1");
    await execute("DELETE FROM email_outbox WHERE entry_id = 2");
    const [email] = await rows<{ id: string }>("email_outbox");
    const { sync } = await walk.walk({});
    // Providers repeat events.
    for (let time = 0; time < 2; time += 1) {
      await bounce("ada@example.com", email?.id ?? "");
      await bounce("bob@example.com", null);
      await bounce("no-one@example.com", null);
    }
    expect(await rows("entry_changes")).toMatchObject([{ entry_id: 1 }, { entry_id: 2 }]);
    await walk.walk({ cursor: sync });
    expect(timesSeen(walk)).toEqual([2, 2]);
  });
});
