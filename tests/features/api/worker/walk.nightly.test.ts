import { expect, test, vi } from "vitest";
import { newestEntry } from "#app/waitlist/filter/list-entries.server.ts";
import { newKey } from "#tests/features/api/pool/api-contract.ts";
import { listWalk } from "#tests/features/api/pool/list-walk.ts";
import { seededRandom } from "#tests/features/api/pool/seeded-random.ts";
import { fuzzSeed } from "#tests/support/pool/fuzz.ts";
import { addEntries, db, execute, freshStorageForEachTest, needs, rows } from "#tests/support/pool/start.ts";

needs("api");
freshStorageForEachTest();

const PEOPLE = 100_000;
const LIMIT = 100;

test(`a walk of ${PEOPLE} under writes misses no one, and has no one more often than they change`, {
  timeout: 600_000,
}, async () => {
  const random = seededRandom(fuzzSeed());
  const walk = listWalk(await newKey());
  await addEntries(PEOPLE, Date.now() - 10 * PEOPLE);
  // By which suppressions are looked up.
  await execute("UPDATE waitlist_emails SET address_hash = 'hash of ' || id");
  /** How often each entry has changed. */
  const changes = new Map<number, number>();
  const added = { times: 0, people: 0 };

  /** Changes entries in one statement: a few anywhere, many, or the same ones again. */
  async function change(ids: number[]) {
    const set = random.pick([
      "owner_note = hex(randomblob(8))",
      "answers = json_object('town', hex(randomblob(4)))",
      "status = iif(status = 'active', 'unsubscribed', 'active')",
    ]);
    const list = JSON.stringify(ids);
    await execute(`UPDATE waitlist_emails SET ${set} WHERE id IN (SELECT value FROM json_each(?))`, list);
    for (const id of ids) changes.set(id, (changes.get(id) ?? 0) + 1);
  }

  async function add(count: number, joinedAt: number) {
    added.times += 1;
    added.people += count;
    await execute(
      `INSERT INTO waitlist_emails (email, metadata, created_at, address_hash)
      SELECT 'new' || ? || '-' || key || '@example.com', '{}', ?, hex(randomblob(8)) FROM json_each(?)`,
      added.times,
      joinedAt,
      JSON.stringify(Array(count).fill(0)),
    );
  }

  const anyId = async () => 1 + random.below(await newestEntry(db));

  async function write() {
    const first = await anyId();
    const range = (count: number) => Array.from({ length: count }, (_, index) => first + index);
    if (random.chance(0.5)) await change([first, await anyId()]);
    if (random.chance(0.5)) await change([1 + random.below(20)]);
    if (random.chance(0.3)) await add(1, Date.now());
    if (random.chance(0.05)) await add(1 + random.below(50), 1_000 + random.below(1_000));
    if (random.chance(0.2)) await execute("DELETE FROM waitlist_emails WHERE id = ?", first);
    if (random.chance(0.02)) await change(range(random.pick([LIMIT - 1, LIMIT, LIMIT + 1, 500])));
    if (random.chance(0.005)) await execute("DELETE FROM waitlist_emails WHERE id BETWEEN ? AND ?", first, first + 300);
  }

  /** The copy is the list, and no one came more often than once and for each of their changes. */
  async function check() {
    const list = await rows<Record<string, string | number | null>>("waitlist_emails");
    const copied = [...walk.copy.values()].toSorted((a, b) => a.id - b.id);
    const wrong = list.filter((entry, index) => {
      const { id, email, note, answers } = copied[index] ?? {};
      const isSame = id === entry["id"] && email === entry["email"] && note === entry["owner_note"];
      return !isSame || JSON.stringify(answers) !== (entry["answers"] ?? "{}");
    });
    expect(wrong).toEqual([]);
    expect(copied.length).toBe(list.length);
    const statuses = new Map(copied.map(({ id, status }) => [id, status]));
    expect(list.filter(({ id, status }) => statuses.get(Number(id)) !== status)).toEqual([]);
    const tooOften = [...walk.seen].filter(([id, seen]) => seen > 1 + (changes.get(id) ?? 0));
    expect(tooOften).toEqual([]);
  }

  /** Rows that pages read: the most, and the median. */
  function cost() {
    const [first = 0, ...others] = walk.rowsRead.splice(0);
    const sorted = others.toSorted((a, b) => a - b);
    const [most = 0, median = 0] = [sorted.at(-1), sorted[sorted.length >> 1]];
    return { first, most, median, pages: 1 + sorted.length };
  }

  const { sync } = await walk.walk({ limit: `${LIMIT}` }, write);
  await check();
  const whole = cost();

  // Many changes, most of them of the same entries.
  for (let round = 0; round < 300; round += 1) await write();
  await walk.walk({ limit: `${LIMIT}`, cursor: sync }, write);
  await check();
  const later = cost();

  const since = new Date().toISOString();
  // It begins a minute earlier: those who changed then come again.
  walk.seen.clear();
  for (let round = 0; round < 300; round += 1) await write();
  await walk.walk({ limit: `${LIMIT}`, changed_since: since }, write);
  await check();
  const fromTime = cost();

  vi.restoreAllMocks();
  console.log("Rows read per page: everyone", whole, "by cursor", later, "since a time", fromTime);
  // For each entry: its change, twice, and the entry itself; a next one; its suppression and its friends, by values of lists.
  const bound = 9 * LIMIT + 10;
  for (const { most } of [whole, later, fromTime]) expect(most).toBeLessThanOrEqual(bound);
  for (const { first } of [whole, later]) expect(first).toBeLessThanOrEqual(bound);
  // Finding the first of those who joined since reads as many as joined.
  expect(fromTime.first).toBeLessThanOrEqual(bound + added.people);
});
