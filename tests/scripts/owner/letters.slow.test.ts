import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { migrate } from "#scripts/lib/local-database.ts";
import { type OpenDatabase, openDatabase } from "#scripts/owner/database.ts";
import { runOwner } from "#scripts/owner/run.ts";
import { addPeople, openWaitlistFile } from "#tests/support/waitlist-file.ts";

const folder = mkdtempSync(join(tmpdir(), "waitlist-site-letters-"));
const persistTo = join(folder, "state");
let file: DatabaseSync;
let database: OpenDatabase;

beforeAll(async () => {
  migrate(persistTo);
  file = await openWaitlistFile(persistTo);
  database = await openDatabase({ remote: false, persistTo });
});
beforeEach(() => {
  for (const table of ["letters", "waitlist_emails", "owner_log", "sqlite_sequence"]) file.exec(`DELETE FROM ${table}`);
  addPeople(file, 3);
  file.exec(`INSERT INTO letters (key, state, subject, preview_line, body, audience, created_at, updated_at, started_at, expected,
    queued, queued_at) VALUES ('k', 'sending', 'We open on Friday', '', 'Hello', '{"filter":{}}', 1, 1, 1, 3, 3, 1)`);
  file.exec("INSERT INTO letter_batches (letter_id, number) VALUES (1, 0)");
  file.exec(`INSERT INTO letter_recipients (letter_id, position, entry_id, state, reason) VALUES (1, 0, 1, 'sent', NULL),
    (1, 1, 2, 'skipped', 'unsubscribed'), (1, 2, 3, 'pending', NULL)`);
});
afterAll(async () => {
  await database.close();
  file.close();
  rmSync(folder, { recursive: true });
});

async function owner(...args: string[]) {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const open = async () => ({ ...database, close: async () => {} });
  const code = await runOwner(args, { out, err, open });
  return { code, out: String(out.read() ?? ""), err: String(err.read() ?? "") };
}

const state = () => file.prepare("SELECT state, pause_reason FROM letters").get();
const log = () => file.prepare("SELECT action, details FROM owner_log").all();

test("letters list and show: states and numbers that add up, without an address", async () => {
  const { code, out } = await owner("letters", "list");
  expect(code).toBe(0);
  expect(out).toMatch(/1 +Sending +3 .*We open on Friday/);
  const shown = await owner("letters", "show", "1");
  expect(shown.out).toMatch(/People +3\nSent +1\nWaiting +1\nSkipped +1\nFailed +0\nUnknown +0/);
  expect(shown.out).toContain("Skipped: Unsubscribed (1)");
  expect(shown.out).not.toContain("@");
  const { numbers } = JSON.parse((await owner("letters", "show", "1", "--json")).out);
  expect(numbers).toMatchObject({ expected: 3, sent: 1, pending: 1, skipped: 1 });
});

test("letters pause, resume and stop change the letter and are logged; repeating them changes nothing", async () => {
  expect(await owner("letters", "pause", "1")).toMatchObject({ code: 0 });
  expect(state()).toEqual({ state: "paused", pause_reason: "owner" });
  expect(await owner("letters", "pause", "1")).toMatchObject({ code: 1, out: "" });
  expect(await owner("letters", "resume", "1")).toMatchObject({ code: 0 });
  expect(state()).toEqual({ state: "sending", pause_reason: null });
  expect(await owner("letters", "resume", "1")).toMatchObject({ code: 1 });
  expect(await owner("letters", "stop", "1", "--yes")).toMatchObject({ code: 0 });
  expect(await owner("letters", "resume", "1")).toMatchObject({ code: 1 });
  expect(state()).toEqual({ state: "stopped", pause_reason: null });
  expect(log()).toEqual(
    ["pause-letter", "resume-letter", "stop-letter"].map((action) => ({ action, details: '{"letterId":1}' })),
  );
});

test("letters stop asks first; without a terminal it changes nothing", async () => {
  const { code, err } = await owner("letters", "stop", "1");
  expect(code).toBe(1);
  expect(err).toContain("--yes");
  expect(state()).toMatchObject({ state: "sending" });
});

test("a wrong action, number or letter is explained", async () => {
  expect(await owner("letters")).toMatchObject({ code: 2 });
  expect(await owner("letters", "send", "1")).toMatchObject({ code: 2 });
  expect(await owner("letters", "show", "one")).toMatchObject({ code: 2 });
  const { code, err } = await owner("letters", "show", "2");
  expect(code).toBe(1);
  expect(err).toContain("There is no letter 2.");
});
