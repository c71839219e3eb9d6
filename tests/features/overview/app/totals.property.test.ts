import { env } from "cloudflare:test";
import fc from "fast-check";
import { expect, test } from "vitest";
import { computeStats } from "#app/features/overview/stats.server.ts";
import type { SuppressionReason } from "#app/server/db/schema/email.server.ts";
import { suppress, unsuppress } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation/confirmation.server.ts";
import { type ShownStatus, statusOf } from "#app/waitlist/confirmation/confirmation.ts";
import { rejoinEntry, unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { listEntries } from "#app/waitlist/entries/entries-page.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { countEntries } from "#app/waitlist/filter/list-entries.server.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { fuzzCases, fuzzSeed } from "#tests/support/pool/fuzz.ts";
import { db, freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const NOW = Date.UTC(2026, 10, 21, 12);
const DAY = 24 * 3_600_000;
/** What can happen to a person, one thing after another. */
const actions = [
  "confirm",
  "unsubscribe",
  "rejoin",
  "bounce",
  "old-bounce",
  "complain",
  "lift",
  "erase",
  "return",
] as const;
type Action = (typeof actions)[number];

const anyPerson = fc.record({
  mustConfirm: fc.boolean(),
  actions: fc.array(fc.constantFrom(...actions), { maxLength: 6 }),
});

const reasons: Partial<Record<Action, { reason: SuppressionReason; until: number | null }>> = {
  bounce: { reason: "hard-bounce", until: NOW + 7 * DAY },
  "old-bounce": { reason: "hard-bounce", until: NOW - DAY },
  complain: { reason: "complaint", until: null },
};

test("each person is counted in one state at any time, and the states add up to all who joined", async () => {
  let run = 0;
  const property = fc.asyncProperty(fc.array(anyPerson, { minLength: 1, maxLength: 6 }), async (people) => {
    run += 1;
    for (const table of ["waitlist_emails", "erased_totals", "suppressions"]) await env.DB.exec(`DELETE FROM ${table}`);
    let joined = 0;
    for (const [n, { mustConfirm, actions: happened }] of people.entries()) {
      const email = `ada${run}.${n}@example.com`;
      const hash = await keyedHash("address:v1", email, env.HASH_KEY);
      const join = async () => {
        const columns = { email, source: "landing_page", columns: {}, now: NOW, mustConfirm, addressHash: hash };
        const added = await addEntry(db, columns);
        if (added.kind === "new") joined += 1;
        if ("id" in added) id = added.id;
      };
      let id = 0;
      await join();
      for (const action of happened) {
        const reason = reasons[action];
        if (reason !== undefined) await suppress(db, { hashes: [hash], ...reason }, NOW);
        else if (action === "confirm") await confirmEntry(db, id, NOW);
        else if (action === "unsubscribe") await unsubscribeEntry(db, id, NOW);
        else if (action === "rejoin") await rejoinEntry(db, id, NOW);
        else if (action === "erase") await eraseEntry(db, id, NOW);
        else if (action === "lift") await unsuppress(db, hash);
        else await join();
      }
    }
    const { entries } = await computeStats(db, { now: NOW, days: 3, timeZone: "UTC" });
    expect(entries).toEqual({
      joined,
      ...(await statesOfRows()),
      erased: joined - (await rows("waitlist_emails")).length,
    });
    const { joined: all, ...states } = entries;
    expect(Object.values(states).reduce((sum, people) => sum + people, 0)).toBe(all);
    const { canGetEmail, erased: _, ...others } = states;
    await expectListsToAgree({ active: canGetEmail, ...others });
  });
  await fc.assert(property, { seed: fuzzSeed(), numRuns: fuzzCases(250) });
}, 300_000);

/** The list, and its filter by status, have as many people in each state as the overview says. */
async function expectListsToAgree(people: Record<ShownStatus, number>) {
  const { entries } = await listEntries(db, { order: "newest", limit: 100, now: NOW });
  for (const [status, count] of Object.entries(people) as [ShownStatus, number][]) {
    expect(entries.filter((entry) => statusOf(entry) === status)).toHaveLength(count);
    expect(await countEntries(db, { status, now: NOW }), status).toBe(count);
  }
}

/** The state of each stored entry, read row by row. */
async function statesOfRows() {
  const blocked = (await rows<{ address_hash: string; until: number | null }>("suppressions"))
    .filter(({ until }) => until === null || until > NOW)
    .map(({ address_hash }) => address_hash);
  const states = { canGetEmail: 0, unconfirmed: 0, suppressed: 0, unsubscribed: 0 };
  type Row = { status: string; confirm_by: number | null; confirmed_at: number | null; address_hash: string };
  for (const { status, confirm_by, confirmed_at, address_hash } of await rows<Row>("waitlist_emails")) {
    if (status === "unsubscribed") states.unsubscribed += 1;
    else if (confirm_by !== null && confirmed_at === null) states.unconfirmed += 1;
    else if (blocked.includes(address_hash)) states.suppressed += 1;
    else states.canGetEmail += 1;
  }
  return states;
}
