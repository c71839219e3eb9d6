import { createExecutionContext, env } from "cloudflare:test";
import { sql } from "drizzle-orm";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { applyProviderEvent } from "#app/email/provider-events.server.ts";
import { recordEntryChange } from "#app/server/db/record-entry-change.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { forgetChanges } from "#app/waitlist/entries/entry-changes.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { changeOwnEntry } from "#app/waitlist/my-data/own-entry.server.ts";
import { signDataToken } from "#app/waitlist/my-data/token.server.ts";
import { contractSite, newKey } from "#tests/features/api/pool/api-contract.ts";
import { playD1Clock } from "#tests/features/api/pool/d1-clock.ts";
import { unlimitedRates } from "#tests/support/pool/failures.ts";
import { addEntries, db, execute, freshStorageForEachTest, join, needs, rows } from "#tests/support/pool/start.ts";
import { createAppContext } from "#worker/app-context.ts";
import { added } from "#worker/features.ts";

needs("api");
freshStorageForEachTest();
const { call } = contractSite(unlimitedRates);

/** A walk to its end. `between` runs after each page. */
async function walk(key: string, query: string, between = async (_ids: number[]) => {}) {
  const ids: number[] = [];
  const erased: number[] = [];
  for (let cursor = ""; ; ) {
    const { status, body } = await call("GET", `/entries?order=changed&${query}${cursor && `&cursor=${cursor}`}`, {
      key,
    });
    if (status !== 200) throw new Error(body.detail);
    const page = body.entries.map(({ id }: { id: number }) => id);
    ids.push(...page);
    erased.push(...body.erased);
    if (body.next_cursor === null) return { ids, erased, sync: `cursor=${body.sync_cursor}` };
    expect(body.sync_cursor).toBeNull();
    await between(page);
    cursor = body.next_cursor;
  }
}

const note = (id: number) => execute("UPDATE waitlist_emails SET owner_note = hex(randomblob(8)) WHERE id = ?", id);

describe("a walk through the list by change", () => {
  test("has everyone once, then what has changed since, then nothing", async () => {
    const key = await newKey();
    await addEntries(7, Date.now() - 60_000);
    await note(2);
    const first = await walk(key, "limit=3");
    expect(first.ids).toEqual([1, 2, 3, 4, 5, 6, 7]);
    await note(5);
    await note(2);
    await note(5);
    await eraseEntry(db, 3, Date.now());
    const joined = await join("new@example.com");
    const second = await walk(key, `limit=50&${first.sync}`);
    expect(second).toMatchObject({ ids: [2, 5, joined], erased: [3] });
    expect(await walk(key, second.sync)).toMatchObject({ ids: [], erased: [] });
  });

  test("has an entry again that changes behind it, and once one that changes before it", async () => {
    const key = await newKey();
    await addEntries(6, Date.now() - 60_000);
    let page = 0;
    const { ids, erased } = await walk(key, "limit=2", async () => {
      page += 1;
      if (page !== 1) return;
      await note(1);
      await note(6);
      await eraseEntry(db, 5, Date.now());
    });
    expect(ids).toEqual([1, 2, 1, 3, 4, 6]);
    expect(erased).toEqual([5]);
  });
});

describe("changes are on record", () => {
  const DAY = 24 * 3_600_000;
  const now = Date.now();
  const ago = (days: number) => new Date(now - days * DAY).toISOString();

  /** Keys that could read entries, each from and until so many days ago. */
  async function readers(...periods: [from: number, until: number | null][]) {
    for (const [index, [from, until]] of periods.entries())
      await execute(
        `INSERT INTO api_keys (name, hash, scopes, created_at, revoked_at) VALUES (?, ?, '["entries:read"]', ?, ?)`,
        `key ${index}`,
        `hash ${index}`,
        now - from * DAY,
        until === null ? null : now - until * DAY,
      );
    return newKey();
  }

  test.each<[string, [number, number | null][], number]>([
    ["since its own key was made", [], 0],
    ["since an older key was", [[9, null]], 9],
    [
      "since a revoked key was that its successor overlaps",
      [
        [20, 4],
        [5, null],
      ],
      20,
    ],
    [
      "since the end of a time without a key",
      [
        [20, 6],
        [5, null],
      ],
      5,
    ],
    [
      "since a key that was revoked before another one was made, but beside a third",
      [
        [12, 8],
        [15, 3],
        [4, null],
      ],
      15,
    ],
    ["for 30 days", [[90, null]], 30],
  ])("%s", async (_, periods, days) => {
    const key = await readers(...periods);
    const since = (at: number) => call("GET", `/entries?changed_since=${ago(at)}`, { key });
    const cursor = (at: number) => `changed-0-0-${now - at * DAY}`.replaceAll("-", " ");
    const go = (at: number) =>
      call("GET", `/entries?order=changed&cursor=${btoa(cursor(at)).replaceAll("=", "")}`, { key });
    expect((await since(days + 0.01)).body).toMatchObject({ status: 400, errors: [{ parameter: "changed_since" }] });
    expect((await go(days + 0.01)).body).toMatchObject({ status: 410, code: "cursor-expired" });
    if (days === 0) return;
    expect((await since(days - 0.01)).status).toBe(200);
    expect((await go(days - 0.01)).status).toBe(200);
  });

  test("and those of before 30 days ago are deleted, a few at a time", async () => {
    await execute("INSERT INTO entry_changes VALUES (1, 1), (2, 2), (3, 3), (?, 4)", now - 29 * DAY);
    await forgetChanges(db, now, 2);
    expect(await rows("entry_changes")).toHaveLength(2);
    await forgetChanges(db, now, 2);
    expect(await rows("entry_changes")).toMatchObject([{ entry_id: 4 }]);
  });
});

describe("a walk that is resumed", () => {
  const DAY = 24 * 3_600_000;

  /** A site on which three people, by a key of 40 days ago, changed 29 days ago; its clock, and a page of one change. */
  async function oldChanges() {
    const now = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now });
    onTestFinished(() => void vi.useRealTimers());
    const key = await newKey();
    await execute("UPDATE api_keys SET created_at = ?", now - 40 * DAY);
    await addEntries(3, now - 35 * DAY);
    // Whoever is added late has changed.
    await execute("DELETE FROM entry_changes");
    await execute(
      "INSERT INTO entry_changes VALUES (?, 1), (?, 2), (?, 3)",
      ...[0, 1, 2].map((ms) => now - 29 * DAY + ms),
    );
    const page = async (query: string) => (await call("GET", `/entries?order=changed&limit=1&${query}`, { key })).body;
    return { now, key, page };
  }

  test("after its changes are forgotten is told so, wherever it began", async () => {
    const { now, page } = await oldChanges();
    const since = `changed_since=${new Date(now - 29.5 * DAY).toISOString()}`;
    const cursor = btoa(`changed ${now - 29.5 * DAY} 3 ${now - 29.5 * DAY}`).replaceAll("=", "");
    const begun = [await page(since), await page(`cursor=${cursor}`)];
    vi.setSystemTime(now + 2 * DAY);
    await forgetChanges(db, Date.now(), 100);
    for (const { next_cursor } of begun) {
      expect(next_cursor).not.toBeNull();
      expect(await page(`cursor=${next_cursor}`)).toMatchObject({ status: 410, code: "cursor-expired" });
    }
  });

  test("goes on from 30 days ago, and with a key that D1's clock has not reached yet", async () => {
    const { now, key } = await oldChanges();
    const { ids } = await walk(key, `limit=1&changed_since=${new Date(now - 30 * DAY).toISOString()}`);
    expect(ids).toEqual([1, 2, 3]);
    await execute("UPDATE api_keys SET created_at = ?", now);
    await playD1Clock(now - 500);
    let isNoted = false;
    const { ids: again } = await walk(key, "limit=1", async () => {
      if (!isNoted) await note(1);
      isNoted = true;
    });
    expect(again).toEqual([1, 1, 2, 3]);
  });
});

test("a time that is yet to come skips nothing", async () => {
  const key = await newKey();
  const id = await join("ada@example.com");
  const { sync } = await walk(key, `changed_since=${new Date(Date.now() + 3_600_000).toISOString()}`);
  await note(id);
  expect((await walk(key, sync)).ids).toEqual([id]);
});

test("a walk from a time begins a minute earlier, because clocks differ", async () => {
  await join("ada@example.com", { now: Date.now() - 90_000 });
  const id = await join("bob@example.com", { now: Date.now() - 30_000 });
  const key = await newKey();
  expect((await walk(key, `changed_since=${new Date().toISOString()}`)).ids).toEqual([id]);
});

test("the same correction, repeated while it is made, is made once and refused to none", async () => {
  const key = await newKey();
  const path = `/entries/${await join("ada@example.com")}`;
  const body = { email: "ada@crafts.example", note: "Two stalls" };
  const responses = await Promise.all([1, 2, 3, 4].map(() => call("PATCH", path, { key, body })));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(responses.map((response) => response.body.note)).toEqual(Array(4).fill("Two stalls"));
});

test("of thousands of unknown parameters, the first are named", async () => {
  const names = Array.from({ length: 3_000 }, (_, index) => index).join("&");
  expect((await call("GET", `/openapi.json?${names}`)).body.errors).toHaveLength(20);
});

test("filters and other orders do not go with changes", async () => {
  const key = await newKey();
  const at = new Date().toISOString();
  for (const query of [
    "order=changed&status=active",
    `changed_since=${at}&source=fair`,
    `order=newest&changed_since=${at}`,
  ])
    expect((await call("GET", `/entries?${query}`, { key })).body).toMatchObject({ code: "invalid-query" });
  expect((await call("GET", "/entries", { key })).body).toEqual({ entries: [], next_cursor: null });
});

test("someone who may get email again has changed", async () => {
  const key = await newKey();
  const id = await join("ada@example.com");
  const { sync } = await walk(key, "");
  await recordEntryChange(db, sql`email = 'ada@example.com'`);
  expect((await walk(key, sync)).ids).toEqual([id]);
});

test("someone whose address bounces or is allowed again has changed, also if no email to them is known", async () => {
  const key = await newKey();
  const id = await join("ada@example.com");
  const address_hash = await keyedHash("address:v1", "ada@example.com", env.HASH_KEY);
  await execute("UPDATE waitlist_emails SET address_hash = ? WHERE id = ?", address_hash, id);
  const app = createAppContext(env, createExecutionContext(), added);
  const statusAfter = async (change: () => Promise<unknown>) => {
    const { sync } = await walk(key, "");
    await change();
    const { status } = (await call("GET", `/entries/${id}`, { key })).body;
    return [status, (await walk(key, sync)).ids];
  };
  const event = { recipient: "ada@example.com", about: { emailId: "gone" } };
  const bounce = () => applyProviderEvent(app, { id: "1", kind: "hard-bounce", ...event });
  expect(await statusAfter(bounce)).toEqual(["suppressed", [id]]);
  await execute("UPDATE suppressions SET reason = 'complaint'");
  const token = await signDataToken(id, Date.now(), env.LINK_SECRET);
  const rejoin = () => changeOwnEntry(app, token, "rejoin");
  expect(await statusAfter(rejoin)).toEqual(["active", [id]]);
});

test("nothing is recorded where no key can read entries", async () => {
  await newKey(["entries:write", "stats:read"]);
  await note(await join("ada@example.com"));
  expect((await env.DB.prepare("SELECT count(*) AS n FROM entry_changes").first<{ n: number }>())?.n).toBe(0);
});
