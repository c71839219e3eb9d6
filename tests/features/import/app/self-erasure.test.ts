import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { unsuppress } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation/confirmation.server.ts";
import { CONFIRM_PERIOD } from "#app/waitlist/confirmation/confirmation.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry, eraseExpired } from "#app/waitlist/entries/erase-entries.server.ts";
import { changeOwnEntry } from "#app/waitlist/my-data/own-entry.server.ts";
import { signDataToken } from "#app/waitlist/my-data/token.server.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { importHarness, NOW } from "#tests/features/import/pool/imports.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const EMAIL = "ada@example.com";
const SECRET = "0123456789abcdef0123456789abcdef";
const { db, import: importFile } = importHarness();
const deps = { db, linkSecrets: [SECRET], hashKey: env.HASH_KEY, mustConfirm: false, entryHooks: {}, now: () => NOW };

async function signUp({ mustConfirm = false, now = NOW } = {}): Promise<number> {
  const addressHash = await keyedHash("address:v1", EMAIL, env.HASH_KEY);
  const added = await addEntry(db, { email: EMAIL, source: "stall", columns: {}, addressHash, mustConfirm, now });
  if (added.kind !== "new") throw new Error(added.kind);
  return added.id;
}

/** What the person does by the link in an email. */
async function byLink(id: number, intent: "unsubscribe" | "erase" | "rejoin"): Promise<void> {
  const token = await signDataToken(id, NOW, SECRET);
  expect(await changeOwnEntry(deps, token, intent)).toMatchObject({ kind: "done", changed: true });
}

/** Imports a list that names the person. */
async function imported() {
  const { found } = await importFile(`email\n${EMAIL}\n`, { welcome: true });
  return { added: found?.added, refused: found?.suppressed };
}

const added = { added: 1, refused: 0 };
const refused = { added: 0, refused: 1 };

test.each([
  ["unsubscribed", ["unsubscribe", "erase"]],
  ["was on the list", ["erase"]],
] as const)("an import does not add a person who %s and erased themselves", async (_, intents) => {
  const id = await signUp();
  for (const intent of intents) await byLink(id, intent);
  for (const _time of [1, 2]) expect(await imported()).toEqual(refused);
  expect(await rows("waitlist_emails")).toEqual([]);
  expect(await rows("email_outbox")).toEqual([]);
  expect(JSON.stringify(await rows("erased_addresses"))).not.toContain("@");
});

test("they can sign up again, and are asked by email whether it was them", async () => {
  await byLink(await signUp(), "erase");
  const again = await signUp();
  expect(await rows("waitlist_emails")).toMatchObject([{ id: again, status: "active" }]);
  expect(await rows("email_outbox")).toMatchObject([{ entry_id: again, kind: "confirm", dead_at: null }]);
  expect(await rows("suppressions")).toEqual([]);
});

describe("an import adds them still not", () => {
  test("after a stranger has entered their address, and the entry was never confirmed", async () => {
    await byLink(await signUp(), "erase");
    await signUp({ mustConfirm: true, now: NOW - CONFIRM_PERIOD - 1 });
    expect(await eraseExpired(db, NOW, { unconfirmed: true })).toBe(1);
    expect(await imported()).toEqual(refused);
  });

  test("after the owner has erased such an entry", async () => {
    await byLink(await signUp(), "erase");
    await eraseEntry(db, await signUp(), NOW);
    expect(await imported()).toEqual(refused);
  });
});

describe("an import may add them", () => {
  test.each([
    ["confirmed", async (id: number) => void (await confirmEntry(db, id, NOW))],
    ["rejoined by their link", (id: number) => unsubscribeEntry(db, id, NOW).then(() => byLink(id, "rejoin"))],
  ])("once they have signed up again and %s, and the owner erases that entry", async (_, prove) => {
    await byLink(await signUp(), "erase");
    const again = await signUp({ mustConfirm: true });
    await prove(again);
    expect(await rows("erased_addresses")).toEqual([]);
    await eraseEntry(db, again, NOW);
    expect(await imported()).toEqual(added);
  });

  test("once the owner has allowed it, and when only the owner erased them", async () => {
    await byLink(await signUp(), "erase");
    const hash = await keyedHash("address:v1", EMAIL, env.HASH_KEY);
    expect(await unsuppress(db, hash)).toBe("erased");
    expect(await unsuppress(db, hash)).toBeNull();
    await eraseEntry(db, await signUp(), NOW);
    expect(await imported()).toEqual(added);
  });
});
