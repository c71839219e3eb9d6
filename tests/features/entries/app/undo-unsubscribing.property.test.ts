import { env } from "cloudflare:test";
import fc from "fast-check";
import { expect, test } from "vitest";
import { applyProviderEvent } from "#app/email/provider-events.server.ts";
import { stopBulkAction } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import type { Intent } from "#app/waitlist/my-data/entry-view.ts";
import { changeOwnEntry, unsubscribeByToken } from "#app/waitlist/my-data/own-entry.server.ts";
import { signDataToken, signEntryToken } from "#app/waitlist/my-data/token.server.ts";
import { finishBulk, startUndo, startUnsubscribing } from "#tests/features/entries/pool/unsubscribe-many.ts";
import { fuzzCases, fuzzSeed } from "#tests/support/pool/fuzz.ts";
import { db, freshDatabaseForEachTest, join, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();
const seed = fuzzSeed();

const NOW = Date.UTC(2026, 10, 21, 12);
const DAY = 24 * 3_600_000;
const RUNS = fuzzCases(150);
const own = { db, linkSecrets: [env.LINK_SECRET], hashKey: env.HASH_KEY, mustConfirm: false, entryHooks: {} };

/** What can happen to someone before and after the owner unsubscribes many. */
const events = ["leaves", "clicks once", "never", "complains", "bounces", "rejoins", "erased", "owner leaves"] as const;

type EventName = (typeof events)[number];

interface Person {
  mustConfirm: boolean;
  before: EventName | null;
  after: EventName[];
}

const anyEvent = fc.constantFrom(...events);
const anyPerson: fc.Arbitrary<Person> = fc.record({
  mustConfirm: fc.boolean(),
  before: fc.option(fc.constantFrom<EventName>("leaves", "bounces", "complains", "owner leaves"), { freq: 3 }),
  after: fc.oneof({ weight: 2, arbitrary: fc.constant<EventName[]>([]) }, fc.array(anyEvent, { maxLength: 3 })),
});

/** Kept apart from the code under test: whether a person is on the list, and whether an undo may put them back. */
function expected({ before, after }: Person, isStopped: boolean): "active" | "unsubscribed" | "gone" {
  let isOn = before === null || before === "bounces";
  // Unsubscribed by the action, and not left since.
  let isRestorable = isOn;
  isOn = false;
  for (const event of after) {
    if (event === "erased") return "gone";
    if (event === "rejoins") [isOn, isRestorable] = [true, false];
    else if (event === "bounces") isRestorable = false;
    // An owner can only unsubscribe someone who is on the list.
    else if (event !== "owner leaves" || isOn) [isOn, isRestorable] = [false, false];
  }
  return isOn || (isRestorable && !isStopped) ? "active" : "unsubscribed";
}

async function happen(event: EventName, id: number, email: string, now: number): Promise<void> {
  const deps = { ...own, now: () => now };
  const change = async (intent: Intent) => changeOwnEntry(deps, await signDataToken(id, now, env.LINK_SECRET), intent);
  switch (event) {
    case "leaves":
      return void (await change("unsubscribe"));
    case "clicks once":
      return void (await unsubscribeByToken(deps, await signEntryToken("unsubscribe:v1", id, env.HASH_KEY)));
    case "never":
      return void (await change("never"));
    case "rejoins":
      return void (await change("rejoin"));
    case "erased":
      return void (await eraseEntry(db, id, now));
    case "owner leaves":
      return void (await unsubscribeEntry(db, id, now, "owner"));
    case "complains":
      return void (await report("complaint", email, now));
    case "bounces":
      return void (await report("hard-bounce", email, now));
  }
}

function report(kind: "complaint" | "hard-bounce", recipient: string, now: number): Promise<void> {
  const deps = { db, emailContext: { hashKey: env.HASH_KEY, ownerEmails: [] }, now: () => now };
  return applyProviderEvent(deps, { id: crypto.randomUUID(), kind, about: null, recipient, at: now });
}

test(`${RUNS} lists that people, owners and providers change later: an undo puts back exactly those whom the action unsubscribed and who have not left since`, {
  timeout: 300_000,
}, async () => {
  let lists = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyPerson, { minLength: 1, maxLength: 5 }), fc.boolean(), async (people, isStopped) => {
      lists += 1;
      const source = `list_${lists}`;
      const ids: number[] = [];
      for (const [index, { mustConfirm, before }] of people.entries()) {
        const email = emailOf(lists, index);
        const hash = await keyedHash("address:v1", email, env.HASH_KEY);
        const id = await join(email, { source, mustConfirm, now: NOW - DAY });
        await env.DB.prepare("UPDATE waitlist_emails SET address_hash = ? WHERE id = ?").bind(hash, id).run();
        ids.push(id);
        if (before !== null) await happen(before, id, email, NOW - 1);
      }
      const action = await startUnsubscribing({ source }, NOW);
      await finishBulk(action, NOW);
      for (const [index, { after }] of people.entries()) {
        for (const [step, event] of after.entries()) {
          await happen(event, ids[index] ?? 0, emailOf(lists, index), NOW + 1 + step);
        }
      }
      const undo = await startUndo(action, NOW + DAY);
      if (isStopped) await stopBulkAction(db, undo, NOW + DAY);
      await finishBulk(undo, NOW + DAY);
      const entries = await rows<{ id: number; status: string }>("waitlist_emails");
      const found = ids.map((id) => entries.find((entry) => entry.id === id)?.status ?? "gone");
      const wanted = people.map((person) => expected(person, isStopped));
      expect(found, JSON.stringify(people)).toEqual(wanted);
    }),
    { seed, numRuns: RUNS },
  );
});

function emailOf(list: number, index: number): string {
  return `person${index}@list${list}.example`;
}
