import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { startBulkAction } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { unsuppress } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation/confirmation.server.ts";
import { CONFIRM_PERIOD } from "#app/waitlist/confirmation/confirmation.ts";
import { addByHand } from "#app/waitlist/entries/add-by-hand.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry, eraseExpired } from "#app/waitlist/entries/erase-entries.server.ts";
import { changeOwnEntry } from "#app/waitlist/my-data/own-entry.server.ts";
import { signDataToken } from "#app/waitlist/my-data/token.server.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { runBulk } from "#tests/features/entries/pool/unsubscribe-many.ts";
import { db, execute, freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

/* Who erased themselves, or had left before they were erased, is added again only by themselves. */

freshDatabaseForEachTest();

const EMAIL = "ada@example.com";
const NOW = Date.UTC(2026, 10, 21, 12);
const DAY = 24 * 3_600_000;
const SECRET = "0123456789abcdef0123456789abcdef";
const hash = () => keyedHash("address:v1", EMAIL, env.HASH_KEY);
const deps = { db, hashKey: env.HASH_KEY, mustConfirm: false, now: () => NOW };

async function typeAddress({ now = NOW, mustConfirm = false } = {}) {
  const added = await addEntry(db, {
    email: EMAIL,
    source: "stall",
    columns: {},
    addressHash: await hash(),
    mustConfirm,
    now,
  });
  if (added.kind !== "new") throw new Error(added.kind);
  return added;
}

/** Joins three years ago, and leaves ten days ago. */
async function leave(reason?: "own-choice" | "complaint" | "owner" | "bounce" | "import"): Promise<number> {
  const { id } = await typeAddress({ now: NOW - 3 * 365 * DAY });
  await unsubscribeEntry(db, id, NOW - 10 * DAY, reason);
  return id;
}

/** What the person does by the link in an email. */
async function byLink(id: number, intent: "unsubscribe" | "erase" | "rejoin"): Promise<void> {
  const token = await signDataToken(id, NOW, SECRET);
  const own = { ...deps, linkSecrets: [SECRET], entryHooks: {} };
  expect(await changeOwnEntry(own, token, intent)).toMatchObject({ kind: "done", changed: true });
}

async function eraseMany(): Promise<void> {
  const erasure = { kind: "erase", selection: {}, newestEntryId: 1, expected: 1, now: NOW } as const;
  await startBulkAction(db, erasure);
  await runBulk(NOW, { plan: "free" });
}

const waysOfErasing: [string, (id: number) => Promise<unknown>][] = [
  ["on the page of their entry, or by a program", (id) => eraseEntry(db, id, NOW)],
  ["with all that match a filter", eraseMany],
  ["by age", () => eraseExpired(db, NOW)],
];

/** What an owner or a program adds. @param at the date of consent that is claimed */
async function addAs(sendsEmail = true, at = NOW - 30 * DAY): Promise<string> {
  const disposableDomains = { has: async () => false };
  const person = { email: EMAIL, source: "api", answers: null, consent: { at, note: "Says so" }, sendsEmail };
  return (await addByHand({ ...deps, disposableDomains }, person)).kind;
}

describe.each(waysOfErasing)("someone who left and was erased %s", (_, erase) => {
  test("is not brought back by an owner or a program, even with a consent of today", async () => {
    await erase(await leave());
    expect(await rows("erased_addresses")).toEqual([{ address_hash: await hash(), created_at: NOW - 10 * DAY }]);
    expect([await addAs(), await addAs(false, NOW)]).toEqual(["erased", "erased"]);
    expect(await rows("waitlist_emails")).toEqual([]);
    expect(await rows("email_outbox")).toEqual([]);
  });

  test.each([true, false])(
    "is asked by email if they type it themselves, with confirmation: %s",
    async (mustConfirm) => {
      await erase(await leave());
      const added = await typeAddress({ mustConfirm });
      const [email, ...others] = await rows("email_outbox");
      expect([email, others]).toMatchObject([{ kind: "confirm", id: added.emailId, dead_at: null }, []]);
      expect(await rows("waitlist_emails")).toMatchObject([{ confirm_by: NOW + 30 * DAY, confirmed_at: null }]);
      expect(await rows("suppressions")).toEqual([]);
      await confirmEntry(db, Number(email?.["entry_id"]), NOW);
      expect(await rows("erased_addresses")).toEqual([]);
    },
  );
});

test.each<[string, () => Promise<unknown>]>([
  ["according to a file", () => leave().then(() => execute("UPDATE waitlist_emails SET unsubscribe_reason = NULL"))],
  ["after an owner had unsubscribed them", async () => unsubscribeEntry(db, await leave("owner"), NOW - DAY)],
])("someone who left %s, and was erased, is not brought back", async (_, leaves) => {
  await leaves();
  await eraseMany();
  expect(await addAs()).toBe("erased");
});

test.each([
  ["complaint", 1],
  ["import", 1],
  ["owner", 0],
  ["bounce", 0],
] as const)("of an entry that left by %s, its erasure keeps as many hashes: %i", async (reason, kept) => {
  await eraseEntry(db, await leave(reason), NOW);
  expect(await rows("erased_addresses")).toHaveLength(kept);
});

test.each<[string, () => Promise<unknown>]>([
  ["on the list", async () => {}],
  ["unsubscribed", () => byLink(1, "unsubscribe")],
])("an owner cannot add a person who was %s and erased themselves", async (_, before) => {
  const { id } = await typeAddress();
  await before();
  await byLink(id, "erase");
  expect([await addAs(), await addAs()]).toEqual(["erased", "erased"]);
  expect(await rows("waitlist_emails")).toEqual([]);
  expect(JSON.stringify(await rows("erased_addresses"))).not.toContain("@");
});

describe("who erased themselves can be added still not", () => {
  test("after a stranger has entered their address, and the entry was never confirmed", async () => {
    await byLink((await typeAddress()).id, "erase");
    await typeAddress({ mustConfirm: true, now: NOW - CONFIRM_PERIOD - 1 });
    expect(await eraseExpired(db, NOW, { unconfirmed: true })).toBe(1);
    expect(await addAs()).toBe("erased");
  });

  test("after the owner has erased such an entry", async () => {
    await byLink((await typeAddress()).id, "erase");
    await eraseEntry(db, (await typeAddress()).id, NOW);
    expect(await addAs()).toBe("erased");
  });
});

describe("who erased themselves can be added", () => {
  test.each([
    ["confirmed", async (id: number) => void (await confirmEntry(db, id, NOW))],
    ["rejoined by their link", (id: number) => unsubscribeEntry(db, id, NOW).then(() => byLink(id, "rejoin"))],
  ])("once they have signed up again and %s, and the owner erases that entry", async (_, prove) => {
    await byLink((await typeAddress()).id, "erase");
    const { id } = await typeAddress({ mustConfirm: true });
    await prove(id);
    expect(await rows("erased_addresses")).toEqual([]);
    await eraseEntry(db, id, NOW);
    expect(await addAs()).toBe("added");
  });

  test("once the owner has allowed it, and when only the owner erased them", async () => {
    await byLink((await typeAddress()).id, "erase");
    expect([await unsuppress(db, await hash()), await unsuppress(db, await hash())]).toEqual(["erased", null]);
    await eraseEntry(db, (await typeAddress()).id, NOW);
    expect(await addAs()).toBe("added");
  });
});
