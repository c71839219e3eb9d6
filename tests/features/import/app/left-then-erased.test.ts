import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { startBulkAction } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation/confirmation.server.ts";
import { addByHand } from "#app/waitlist/entries/add-by-hand.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry, eraseExpired } from "#app/waitlist/entries/erase-entries.server.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { runBulk } from "#tests/features/entries/pool/unsubscribe-many.ts";
import { importHarness, NOW } from "#tests/features/import/pool/imports.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const EMAIL = "ada@example.com";
const DAY = 24 * 3_600_000;
const { db, deps, import: importFile } = importHarness();
const hash = () => keyedHash("address:v1", EMAIL, env.HASH_KEY);

async function typeAddress({ now = NOW, mustConfirm = false } = {}) {
  return addEntry(db, { email: EMAIL, source: "stall", columns: {}, addressHash: await hash(), mustConfirm, now });
}

/** Joins three years ago, and leaves ten days ago. */
async function leave(reason?: "own-choice" | "complaint" | "owner" | "bounce"): Promise<number> {
  const added = await typeAddress({ now: NOW - 3 * 365 * DAY });
  if (added.kind !== "new") throw new Error(added.kind);
  await unsubscribeEntry(db, added.id, NOW - 10 * DAY, reason);
  return added.id;
}

async function eraseMany(): Promise<void> {
  const selection = {};
  await startBulkAction(db, { kind: "erase", selection, newestEntryId: 1, expected: 1, now: NOW });
  await runBulk(NOW, { plan: "free" });
}

const waysOfErasing: [string, (id: number) => Promise<unknown>][] = [
  ["on the page of their entry, or by a program", (id) => eraseEntry(db, id, NOW)],
  ["with all that match a filter", eraseMany],
  ["by age", () => eraseExpired(db, NOW)],
];

/** @param at the date of consent that is claimed */
const addAs = (sendsEmail: boolean, at: number) => {
  const person = { email: EMAIL, source: "api", answers: null, consent: { at, note: "Says so" }, sendsEmail };
  return addByHand({ ...deps, mustConfirm: false }, person);
};

const waysOfAdding: [string, () => Promise<unknown>, unknown][] = [
  ["an import", async () => (await importFile(`email\n${EMAIL}\n`)).found?.suppressed, 1],
  ["an owner by hand, or a program", () => addAs(true, NOW - 30 * DAY), { kind: "erased" }],
  ["a program that claims a consent of today", () => addAs(false, NOW), { kind: "erased" }],
];

describe.each(waysOfErasing)("someone who left and was erased %s", (_, erase) => {
  test.each(waysOfAdding)("is not brought back by %s", async (_, add, outcome) => {
    await erase(await leave());
    expect(await rows("waitlist_emails")).toEqual([]);
    expect(await rows("erased_addresses")).toEqual([{ address_hash: await hash(), created_at: NOW - 10 * DAY }]);
    expect(await add()).toEqual(outcome);
    expect(await rows("waitlist_emails")).toEqual([]);
    expect(await rows("email_outbox")).toEqual([]);
  });

  test.each([true, false])(
    "is asked by email if they type it themselves, with confirmation: %s",
    async (mustConfirm) => {
      await erase(await leave());
      const added = await typeAddress({ mustConfirm });
      const [email, ...others] = await rows("email_outbox");
      expect([email, others]).toMatchObject([{ kind: "confirm", id: added.kind === "new" && added.emailId }, []]);
      expect(await rows("waitlist_emails")).toMatchObject([{ confirm_by: NOW + 30 * DAY, confirmed_at: null }]);
      await confirmEntry(db, Number(email?.["entry_id"]), NOW);
      expect(await rows("erased_addresses")).toEqual([]);
    },
  );
});

test.each<[string, () => Promise<unknown>]>([
  ["according to a file", () => importFile(`email,status,joined\n${EMAIL},unsubscribed,2025-01-02\n`)],
  ["after an owner had unsubscribed them", async () => unsubscribeEntry(db, await leave("owner"), NOW - DAY)],
])("someone who left %s, and was erased, is not brought back by an import", async (_, leaves) => {
  await leaves();
  expect(await rows("waitlist_emails")).toMatchObject([{ status: "unsubscribed" }]);
  await eraseMany();
  expect(await rows("waitlist_emails")).toEqual([]);
  expect((await importFile(`email\n${EMAIL}\n`)).found?.suppressed).toBe(1);
  expect(await rows("waitlist_emails")).toEqual([]);
});

test.each([
  ["complaint", 1],
  ["owner", 0],
  ["bounce", 0],
] as const)("of an entry that left by %s, its erasure keeps as many hashes: %i", async (reason, kept) => {
  await eraseEntry(db, await leave(reason), NOW);
  expect(await rows("erased_addresses")).toHaveLength(kept);
});
