import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { renderEmail } from "#app/email/render-email.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { eraseEntry } from "#app/waitlist/erase-entries.server.ts";
import { intents } from "#app/waitlist/my-data/entry-view.ts";
import {
  changeOwnEntry,
  exportOwnEntry,
  type OwnEntryDeps,
  readOwnEntry,
  readUnsubscribeEntry,
  unsubscribeByToken,
} from "#app/waitlist/my-data/own-entry.server.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { emailContext } from "#tests/support/pool/outbox-harness.ts";

freshDatabaseForEachTest();
const log = captureLog();

const NOON = Date.UTC(2026, 10, 21, 12);
const HASH_KEY = "abcdef0123456789abcdef0123456789";
const FIRST_SECRET = "0123456789abcdef0123456789abcdef";
const SECOND_SECRET = "fedcba9876543210fedcba9876543210";

const db = openDb(env.DB);
const deps: OwnEntryDeps = { db, linkSecrets: [FIRST_SECRET], hashKey: HASH_KEY, mustConfirm: false, now: () => NOON };

/** Signs an address up, and returns the tokens in its welcome email. */
async function join(email: string) {
  const added = await addEntry(db, { email, source: "landing_page", columns: {}, now: NOON });
  if (added.kind !== "new") throw new Error(`${email} is already listed`);
  const claim = {
    id: crypto.randomUUID(),
    kind: "welcome",
    entryId: added.id,
    email,
    ownerId: null,
    data: null,
    wording: null,
    wasAddedByOwner: false,
    consentVersion: null,
    createdAt: NOON,
    attempts: 1,
  } as const;
  const { text, headers } = await renderEmail(claim, {
    ...emailContext,
    siteUrl: "https://waitlist-site.example",
    linkSecret: FIRST_SECRET,
    hashKey: HASH_KEY,
  });
  const page = /\/your-data\/(\S+)/.exec(text)?.[1] ?? "";
  const unsubscribe = /\/unsubscribe\/([^/]+)/.exec(headers["List-Unsubscribe"] ?? "")?.[1] ?? "";
  return { id: added.id, page, unsubscribe };
}

const snapshot = async () => [await rows("waitlist_emails"), await rows("email_outbox"), await rows("erased_totals")];

describe("after LINK_SECRET was replaced", () => {
  const replaced = { ...deps, linkSecrets: [SECOND_SECRET] };

  test("unsubscribe links that were already sent still work", async () => {
    const { unsubscribe } = await join("ada@example.com");
    expect(await readUnsubscribeEntry(replaced, unsubscribe)).toMatchObject({ kind: "found" });
    expect(await unsubscribeByToken(replaced, unsubscribe)).toMatchObject({ kind: "done", changed: true });
    expect(await rows("waitlist_emails")).toMatchObject([{ status: "unsubscribed", unsubscribed_at: NOON }]);
  });

  test("links to an entry work only while the previous secret is accepted", async () => {
    const { page } = await join("ada@example.com");
    expect(await readOwnEntry(replaced, page)).toEqual({ kind: "bad-link" });
    const both = { ...deps, linkSecrets: [SECOND_SECRET, FIRST_SECRET] };
    expect(await readOwnEntry(both, page)).toMatchObject({ kind: "found" });
  });
});

test("a token that unsubscribes shows, exports and changes nothing else", async () => {
  const { unsubscribe } = await join("ada@example.com");
  const before = await snapshot();
  // Even if both keys were the same.
  for (const linkSecrets of [[FIRST_SECRET], [HASH_KEY]]) {
    const own = { ...deps, linkSecrets };
    expect(await readOwnEntry(own, unsubscribe)).toEqual({ kind: "bad-link" });
    expect(await exportOwnEntry(own, unsubscribe)).toBeNull();
    for (const intent of intents) expect(await changeOwnEntry(own, unsubscribe, intent)).toEqual({ kind: "bad-link" });
  }
  expect(await snapshot()).toEqual(before);
});

test("the token of an entry's page does not unsubscribe by itself", async () => {
  const { page } = await join("ada@example.com");
  const before = await snapshot();
  for (const hashKey of [HASH_KEY, FIRST_SECRET]) {
    expect(await readUnsubscribeEntry({ ...deps, hashKey }, page)).toEqual({ kind: "bad-link" });
    expect(await unsubscribeByToken({ ...deps, hashKey }, page)).toEqual({ kind: "bad-link" });
  }
  expect(await snapshot()).toEqual(before);
});

test("reading by either token changes nothing", async () => {
  const { page, unsubscribe } = await join("ada@example.com");
  const before = await snapshot();
  expect(await readOwnEntry(deps, page)).toMatchObject({ kind: "found" });
  expect(await readUnsubscribeEntry(deps, unsubscribe)).toMatchObject({ kind: "found" });
  expect(await exportOwnEntry(deps, page)).toMatchObject({ email: "ada@example.com" });
  expect(await snapshot()).toEqual(before);
});

test("unsubscribing is idempotent, and affects only the token's entry", async () => {
  const ada = await join("ada@example.com");
  await join("bob@example.com");
  expect(await unsubscribeByToken(deps, ada.unsubscribe)).toMatchObject({ kind: "done", changed: true });
  const before = await snapshot();
  const later = { ...deps, now: () => NOON + 1 };
  expect(await unsubscribeByToken(later, ada.unsubscribe)).toMatchObject({ kind: "done", changed: false });
  expect(await snapshot()).toEqual(before);
  expect(await rows("waitlist_emails")).toMatchObject([{ status: "unsubscribed" }, { status: "active" }]);
});

test("the tokens of an erased entry match no later entry", async () => {
  const ada = await join("ada@example.com");
  await eraseEntry(db, ada.id, NOON);
  await join("ada@example.com");
  expect(await readOwnEntry(deps, ada.page)).toEqual({ kind: "gone" });
  expect(await readUnsubscribeEntry(deps, ada.unsubscribe)).toEqual({ kind: "gone" });
  expect(await unsubscribeByToken(deps, ada.unsubscribe)).toMatchObject({ kind: "done", changed: false });
  expect(await rows("waitlist_emails")).toMatchObject([{ status: "active" }]);
});

test("the log contains neither tokens nor addresses", async () => {
  const { id, page, unsubscribe } = await join("ada@example.com");
  await unsubscribeByToken(deps, unsubscribe);
  for (const intent of intents.toReversed()) await changeOwnEntry(deps, page, intent);
  expect(log.map((line) => JSON.parse(line))).toHaveLength(intents.length + 1);
  for (const line of log) expect(JSON.parse(line)).toMatchObject({ entryId: id });
  expect(log.join()).not.toContain("@");
  for (const token of [page, unsubscribe]) expect(log.join()).not.toContain(token.slice(2));
});
