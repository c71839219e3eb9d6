import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { migrate } from "#scripts/lib/local-site.ts";
import { type OpenDatabase, openDatabase } from "#scripts/owner/database.ts";
import { runOwner } from "#scripts/owner/run.ts";
import { runScript } from "#tests/support/run-script.ts";
import { addPeople, openWaitlistFile } from "#tests/support/waitlist-file.ts";

const folder = mkdtempSync(join(tmpdir(), "stallwright-owner-"));
const persistTo = join(folder, "state");
let file: DatabaseSync;
let database: OpenDatabase;

beforeAll(async () => {
  await migrate(persistTo);
  file = await openWaitlistFile(persistTo);
  database = await openDatabase({ remote: false, persistTo });
});
beforeEach(() => {
  for (const table of ["waitlist_emails", "email_outbox", "erased_totals", "stats", "sqlite_sequence"]) {
    file.exec(`DELETE FROM ${table}`);
  }
  addPeople(file, 3);
});
afterAll(async () => {
  await database.close();
  file.close();
  rmSync(folder, { recursive: true });
});

/** Runs a command on the open database. */
async function owner(...args: string[]) {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const open = async () => ({ db: database.db, close: async () => {} });
  const code = await runOwner(args, { out, err, open });
  return { code, out: String(out.read() ?? ""), err: String(err.read() ?? "") };
}

test("stats: totals, sources, and the state of emails", async () => {
  file.exec("UPDATE waitlist_emails SET status = 'unsubscribed' WHERE id = 1");
  file.exec("UPDATE email_outbox SET sent_at = NULL, dead_at = 1, reason = 'address-refused' WHERE entry_id = 2");
  const { code, out } = await owner("stats", "--days", "2");
  expect(code).toBe(0);
  expect(out).toContain("2 on the list, 1 unsubscribed, 0 erased; 3 joined in total");
  expect(out).toMatch(/landing_page +3$/m);
  expect(out).toMatch(/dead +1 +This address does not accept email$/m);
  const { entries } = JSON.parse((await owner("stats", "--json")).out);
  expect(entries).toEqual({ joined: 3, active: 2, unsubscribed: 1, erased: 0 });
  // Computed now, not read from the stats that the overview stores.
  expect((await owner("erase", "3", "--yes")).code).toBe(0);
  expect((await owner("stats")).out).toContain("1 on the list, 1 unsubscribed, 1 erased; 3 joined in total");
  expect(file.prepare("SELECT * FROM stats").all()).toEqual([]);
});

test("list: newest first, with filters and pages that say how to continue", async () => {
  const first = await owner("list", "--limit", "2");
  expect(first.out).toMatch(/person3@example\.com\n.*person2@example\.com\n\nMore entries: --after 2\n$/);
  const next = await owner("list", "--limit", "2", "--after", "2");
  expect(next.out.trimEnd()).toMatch(/person1@example\.com$/);
  for (const part of ["PERSON2", "n2@example", "person2@example.com"]) {
    const found = JSON.parse((await owner("list", "--search", part, "--json")).out);
    expect(found, part).toMatchObject([{ id: 2, email: "person2@example.com" }]);
  }
});

test("find: by address or id", async () => {
  for (const argument of [" Person2@Example.com ", "2"]) {
    const { code, out } = await owner("find", argument);
    expect(code).toBe(0);
    expect(out).toMatch(/^email +person2@example\.com$/m);
    expect(out).toMatch(/^welcome +1 +\d{4}-/m);
  }
});

test("user input cannot control the owner's terminal", async () => {
  file.prepare("UPDATE waitlist_emails SET utm_campaign = ? WHERE id = 1").run("\u001b[2J\u009b2Jgone\u202e");
  const { out } = await owner("list");
  expect(out).toContain("gone");
  expect(out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test("outbox: waiting and dead emails to entries, with the reason; retry requeues the dead ones", async () => {
  file.exec(`INSERT INTO email_outbox (id, kind, dedupe_key, priority, next_attempt_at, created_at, dead_at)
    VALUES ('link', 'sign-in', 'sign-in', 0, 1, 1, 1), ('digest', 'digest', 'digest', 2, 1, 1, NULL)`);
  file.exec(
    "UPDATE email_outbox SET sent_at = NULL, dead_at = 1, attempts = 10, reason = 'timed-out' WHERE entry_id = 2",
  );
  expect((await owner("outbox", "waiting")).out).toBe("No emails are waiting.\n");
  expect((await owner("outbox", "dead")).out).toMatch(/2 +welcome +10 .*The email provider took too long to answer$/m);
  expect((await owner("outbox", "retry")).out).toContain("Requeued 1 dead email.");
  expect(JSON.parse((await owner("outbox", "waiting", "--json")).out)).toMatchObject([
    { entry_id: 2, attempts: 0, dead_at: null },
  ]);
});

test("outbox waiting: why all email is on hold, and when it continues", async () => {
  file.prepare("INSERT INTO email_holds VALUES ('daily-quota', ?, 1)").run(Date.now() + 3 * 24 * 3_600_000);
  const { code, out } = await owner("outbox", "waiting");
  expect(code).toBe(0);
  expect(out).toMatch(/^Daily limit reached; continues at \d\d:\d\d on \d+ \w+ \d{4}\.$/m);
});

test.each([
  [[], 2, /stats.*\n.*list/],
  [["--help"], 0, /stats.*\n.*list/],
  [["nonsense"], 2, /Unknown command: nonsense\.\n\nFor help: npm run owner -- --help/],
  [["list", "--lots"], 2, /Unknown option '--lots'/],
  [["list", "--limit", "all"], 2, /--limit must be a whole number from 1 to 10000, not "all"\./],
  [["list", "--order", "best"], 2, /--order must be one of newest, .*, not "best"\./],
  [["outbox"], 2, /Use outbox waiting, outbox dead or outbox retry\./],
  [["find"], 1, /Which entry\?\n\nGive an address or an id/],
  [["find", "ada"], 1, /neither an address nor an id/],
  [["find", "unknown@example.com"], 1, /There is no such entry\.\n\n/],
])("%j exits with %d and a message", async (args, code, message) => {
  const run = await owner(...args);
  expect(run.code).toBe(code);
  expect(run.out + run.err).toMatch(message);
  expect(run.err).not.toMatch(/^\s+at |unknown@example/m);
});

test.each(["stats", "list", "find", "export", "erase", "outbox"])("%s --help lists its options", async (command) => {
  const { code, out } = await owner(command, "--help");
  expect(code).toBe(0);
  expect(out).toContain(`npm run owner -- ${command}`);
  expect(out).toContain("--persist-to");
});

test("a folder with no waitlist, or an unmigrated one: the error says what to do", async () => {
  const none = await runScript("owner", ["stats", "--persist-to", join(folder, "none")]);
  expect(none).toMatchObject({ code: 1, out: "" });
  expect(none.err).toContain("Create it with npm start");
  mkdirSync(join(folder, "empty", "v3", "d1"), { recursive: true });
  const empty = await runScript("owner", ["list", "--persist-to", join(folder, "empty")]);
  expect(empty).toMatchObject({ code: 1, out: "" });
  expect(empty.err).toContain("Migrate a local database with npm start");
});
