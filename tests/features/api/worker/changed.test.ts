import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { contractSite, newKey } from "#tests/features/api/pool/api-contract.ts";
import { unlimitedRates } from "#tests/support/pool/failures.ts";
import { addEntries, db, execute, freshStorageForEachTest, join, needs } from "#tests/support/pool/start.ts";

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

test("nothing is recorded where no key can read entries", async () => {
  await newKey(["entries:write", "stats:read"]);
  await note(await join("ada@example.com"));
  expect((await env.DB.prepare("SELECT count(*) AS n FROM entry_changes").first<{ n: number }>())?.n).toBe(0);
});
