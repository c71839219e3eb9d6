import { env } from "cloudflare:test";
import { beforeEach, expect, test } from "vitest";
import { openDb } from "#app/server/db/client.server.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { eraseEntry } from "#app/waitlist/erase-entries.server.ts";
import { changeOwnAnswers } from "#app/waitlist/my-data/own-answers.server.ts";
import { exportOwnEntry, readOwnEntry, toEntryView } from "#app/waitlist/my-data/own-entry.server.ts";
import { readStoredData } from "#app/waitlist/my-data/stored-data.server.ts";
import { DATA_LINK_LIFETIME, signDataToken, signEntryToken } from "#app/waitlist/my-data/token.server.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";

freshDatabaseForEachTest();
captureLog();

const NOON = Date.UTC(2026, 10, 21, 12);
const db = openDb(env.DB);
const deps = { db, linkSecrets: [env.LINK_SECRET], hashKey: env.HASH_KEY, mustConfirm: false, now: () => NOON };

let token: string;

beforeEach(async () => {
  for (const email of ["ada@example.com", "bob@example.com"]) {
    await addEntry(db, { email, source: "landing_page", columns: {}, now: NOON });
  }
  token = await signDataToken(1, NOON, env.LINK_SECRET);
});

const stored = async () => (await rows<{ answers: string | null }>("waitlist_emails")).map(({ answers }) => answers);

test("a person answers, changes and removes their answer", async () => {
  expect(toEntryView(await readOwnEntry(deps, token))).toMatchObject({ answers: {} });
  expect(await changeOwnAnswers(deps, token, { role: "host" })).toMatchObject({ kind: "done", changed: true });
  expect(await changeOwnAnswers(deps, token, { role: "host" })).toMatchObject({ kind: "done", changed: false });
  expect(toEntryView(await readOwnEntry(deps, token))).toMatchObject({ answers: { role: "host" } });
  await changeOwnAnswers(deps, token, { role: "both" });
  expect(await stored()).toEqual(['{"role":"both"}', null]);
  await changeOwnAnswers(deps, token, { role: null });
  expect(await stored()).toEqual([null, null]);
});

test("the answer is among the data that a person can see and download", async () => {
  const details = async () => (await readStoredData(deps, token))?.details.map(({ value }) => value);
  expect(await details()).not.toContain("Stallholder");
  expect(await exportOwnEntry(deps, token)).toMatchObject({ answers: null });
  await changeOwnAnswers(deps, token, { role: "stallholder" });
  expect(await details()).toContain("Stallholder");
  expect(await exportOwnEntry(deps, token)).toMatchObject({ answers: { role: "stallholder" } });
});

test("an invalid or expired link, or one of another kind, changes nothing", async () => {
  const expired = await signDataToken(1, NOON - DATA_LINK_LIFETIME, env.LINK_SECRET);
  expect(await changeOwnAnswers(deps, expired, { role: "host" })).toEqual({ kind: "expired" });
  const unsubscribe = await signEntryToken("unsubscribe:v1", 1, env.HASH_KEY);
  for (const bad of ["", `${token}x`, unsubscribe]) {
    expect(await changeOwnAnswers(deps, bad, { role: "host" })).toEqual({ kind: "bad-link" });
  }
  expect(await stored()).toEqual([null, null]);
});

test("an erased entry has nothing to change", async () => {
  await eraseEntry(db, 1, NOON);
  expect(await changeOwnAnswers(deps, token, { role: "host" })).toMatchObject({ kind: "done", changed: false });
});
