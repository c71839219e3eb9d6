import fc from "fast-check";
import { expect, test } from "vitest";
import { newKey } from "#tests/features/api/pool/api-contract.ts";
import { anyWrite, type ListWrite, listWrites } from "#tests/features/api/pool/list-writes.ts";
import { unlimitedRates } from "#tests/support/pool/failures.ts";
import { fuzzCases, fuzzSeed } from "#tests/support/pool/fuzz.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import { addEntries, emptyDatabase, freshStorageForEachTest, needs } from "#tests/support/pool/start.ts";

needs("api");
freshStorageForEachTest();
const seed = fuzzSeed();

const CASES = fuzzCases(1_000);

/** An hour: the nightly run has many cases. */
const TIMEOUT = 3_600_000;

/** An entry as the API returns it. */
type Body = { id: number };

interface Page {
  entries: Body[];
  erased: number[];
  next_cursor: string | null;
  sync_cursor: string | null;
}

const { request } = apiSite(unlimitedRates);

async function get<T>(key: string, path: string): Promise<T> {
  const response = await request(`/api/v1${path}`, { headers: { Authorization: `Bearer ${key}` } });
  const body = await response.json<T>();
  if (response.status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body;
}

/** Pages of a list to its end, from its beginning or a cursor. `between` runs after each page. */
async function pages(key: string, query: string, limit: number, start = "", between = async () => {}): Promise<Page[]> {
  const all: Page[] = [];
  for (let cursor: string | null = start; cursor !== null; cursor = all.at(-1)?.next_cursor ?? null) {
    // A cursor goes with its order, however the walk has begun.
    const list = cursor === "" ? query : query.replace(/^changed_since=.*/, "order=changed");
    all.push(await get<Page>(key, `/entries?${list}&limit=${limit}${cursor && `&cursor=${cursor}`}`));
    await between();
  }
  return all;
}

/** Every entry of the list as it is, by id. */
async function readAll(key: string): Promise<Map<number, Body>> {
  const all = await pages(key, "order=oldest", 100);
  return new Map(all.flatMap(({ entries }) => entries.map((entry) => [entry.id, entry] as const)));
}

/** A copy of the list as a program keeps it, which learns of changes by `order=changed` alone. */
function keptCopy(key: string) {
  const entries = new Map<number, Body>();
  let start = "";
  let query = "order=changed";
  let syncedAt = "";
  return {
    entries,
    continueByTime() {
      start = "";
      query = `changed_since=${syncedAt}`;
    },
    /** `between` runs after each page. */
    async sync(limit: number, between?: () => Promise<void>) {
      syncedAt = new Date().toISOString();
      for (const page of await pages(key, query, limit, start, between)) {
        for (const entry of page.entries) entries.set(entry.id, entry);
        for (const id of page.erased) entries.delete(id);
        start = page.sync_cursor ?? start;
      }
      query = "order=changed";
    },
  };
}

/** Some writes, and how the program then asks for what has changed. */
const anyRound = (names: string[]) =>
  fc.record({
    writes: fc.array(anyWrite(names), { minLength: 1, maxLength: 3 }),
    limit: fc.constantFrom(1, 2, 3, 100),
    /** Whether it has lost its cursor, and asks by the time of the last sync. */
    byTime: fc.boolean(),
    /** Made while the program reads its pages. */
    meanwhile: fc.array(anyWrite(names), { maxLength: 2 }),
  });

async function newList(confirms: boolean) {
  await emptyDatabase();
  const key = await newKey(["entries:read"], "Reader");
  const writer = await newKey(["entries:write"], "Writer");
  await addEntries(4, Date.now() - 60_000);
  return { key, ...listWrites(writer, confirms ? { CONFIRM_ADDRESSES: "on" } : {}) };
}

test(
  `${CASES} random histories: what a sync has is what has changed, and a copy is the list`,
  async () => {
    const done = new Set<string>();
    const { names } = listWrites("");
    const history = fc.tuple(fc.boolean(), fc.array(anyRound(names), { minLength: 1, maxLength: 3 }));
    await fc.assert(
      fc.asyncProperty(history, async ([confirms, rounds]) => {
        const { key, write } = await newList(confirms);
        const copy = keptCopy(key);
        const make = async (some: ListWrite[]) => {
          for (const one of some) {
            await write(one);
            done.add(one.name);
          }
        };
        await copy.sync(100);
        for (const { writes, limit, meanwhile, byTime } of rounds) {
          await make(writes);
          if (byTime) copy.continueByTime();
          const left = [...meanwhile];
          await copy.sync(limit, () => make(left.splice(0, 1)));
          if (left.length < meanwhile.length) await copy.sync(limit);
          expect(copy.entries).toEqual(await readAll(key));
          await make(left);
        }
      }),
      { seed, numRuns: CASES },
    );
    if (CASES >= 1_000) expect([...done].toSorted()).toEqual(names.toSorted());
  },
  TIMEOUT,
);

test(
  "pages of any sizes have what one page has, in any order and under any filter",
  async () => {
    const anyQuery = fc.record({
      order: fc.constantFrom("newest", "oldest", "changed"),
      filter: fc.constantFrom(
        "",
        "status=active",
        "source=list",
        "answer_town=York",
        "imported=yes",
        "status=unsubscribed",
      ),
      limits: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
    });
    const list = await newList(false);
    const { key, names, write } = list;
    await fc.assert(
      fc.asyncProperty(anyWrite(names), anyQuery, async (change, { order, filter, limits }) => {
        await write(change);
        const query = `order=${order}${order === "changed" ? "" : `&${filter}`}`;
        const found: Page[] = [];
        for (let cursor: string | null = ""; cursor !== null; cursor = found.at(-1)?.next_cursor ?? null) {
          const limit = limits[found.length % limits.length];
          found.push(await get<Page>(key, `/entries?${query}&limit=${limit}${cursor && `&cursor=${cursor}`}`));
        }
        const [whole] = await pages(key, query, 100);
        expect(found.flatMap(({ entries }) => entries)).toEqual(whole?.entries);
      }),
      { seed, numRuns: CASES, endOnFailure: true },
    );
  },
  TIMEOUT,
);
