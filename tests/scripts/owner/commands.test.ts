import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PassThrough } from "node:stream";
import { beforeEach, expect, test } from "vitest";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { newsOnly } from "#app/waitlist/sign-up/consent-wording.ts";
import { databaseFile } from "#scripts/lib/local-database.ts";
import { localVars } from "#scripts/lib/local-vars.ts";
import { openDatabase } from "#scripts/owner/database.ts";
import { runOwner } from "#scripts/owner/run.ts";
import { localWaitlist } from "#tests/support/local-waitlist.ts";
import { addPeople } from "#tests/support/waitlist-file.ts";

const waitlist = localWaitlist();

beforeEach(() => {
  waitlist.clear();
  addPeople(waitlist.file, 3);
});

const owner = (...args: string[]) => waitlist.run(args);

/** Suppresses an address. */
async function suppress(email: string): Promise<void> {
  const hash = await keyedHash("address:v1", email, localVars(0)["HASH_KEY"] ?? "");
  waitlist.file.prepare("INSERT INTO suppressions VALUES (?, 'complaint', NULL, 1)").run(hash);
}

test("export leaves out people who have yet to confirm, and says how the others did", async () => {
  waitlist.file.exec("UPDATE waitlist_emails SET confirm_by = 1 WHERE id > 1");
  waitlist.file.exec(
    `UPDATE waitlist_emails SET confirmed_at = 1, consent_version = '${newsOnly.version}', consent_at = 1 WHERE id = 2`,
  );
  const { out } = await owner("export");
  expect(out).toContain(`"${newsOnly.version}","1970-01-01T00:00:00.001Z","","confirmed"`);
  expect(out).not.toContain("person3");
  expect((await owner("export", "--everyone")).out).toContain("person3");
});

test("no export shows the hash of a mailbox", async () => {
  waitlist.file.exec("UPDATE waitlist_emails SET mailbox_hash = 'hash-of-the-mailbox' WHERE id = 2");
  for (const format of ["csv", "json"]) {
    const { code, out } = await owner("export", "--format", format);
    expect(code).toBe(0);
    expect(out, format).toContain("person2@example.com");
    expect(out, format).not.toMatch(/hash/);
  }
});

test("unsuppress lifts the suppression of an address, whether or not it has an entry, which is logged", async () => {
  for (const email of ["person1@example.com", "erased@example.com"]) await suppress(email);
  const unconfirmed = await owner("unsuppress", "erased@example.com");
  expect(unconfirmed).toMatchObject({
    code: 1,
    err: expect.stringContaining("Nothing was changed.\n\nThen add --yes."),
  });
  for (const address of ["Person1@Example.com", "erased@example.com"]) {
    const { code, out } = await owner("unsuppress", address, "--yes");
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining("reported an email as spam") });
  }
  expect(waitlist.file.prepare("SELECT * FROM suppressions").all()).toEqual([]);
  const changes = () => waitlist.file.prepare("SELECT entry_id FROM entry_changes").all();
  expect(changes()).toEqual([]);
  // A program that keeps a copy of the list is told.
  waitlist.file.exec(
    `INSERT INTO api_keys (name, hash, scopes, created_at) VALUES ('CRM', 'hash', '["entries:read"]', 1)`,
  );
  await suppress("person1@example.com");
  await owner("unsuppress", "person1@example.com", "--yes");
  expect(changes()).toMatchObject([{ entry_id: 1 }]);
  const again = await owner("unsuppress", "person1@example.com", "--yes");
  expect(again).toMatchObject({ code: 1, out: "", err: expect.stringContaining("was not suppressed") });
  await owner("export", "--format", "json");
  const logged = waitlist.file.prepare("SELECT actor, action, details FROM owner_log ORDER BY id").all();
  const lifted = { actor: "command line", action: "unsuppress", details: '{"reason":"complaint"}' };
  expect(logged.map((row) => ({ ...row }))).toEqual([
    lifted,
    lifted,
    lifted,
    { actor: "command line", action: "export", details: '{"format":"json","people":"may get email"}' },
  ]);
});

test("sign-in: a link for the local site, with the owners in OWNER_EMAIL", async () => {
  const { code, out } = await owner("sign-in");
  expect(code).toBe(0);
  expect(out).toMatch(/^http:\/\/localhost:8787\/owner\/sign-in\/\S+\n/);
  expect(out).toContain("It signs in owner@waitlist-site.example.");
  const stranger = await owner("sign-in", "--owner", "ada");
  expect(stranger).toMatchObject({ code: 1, out: "", err: expect.stringContaining("ada is not an owner of") });
});

test.each([
  [["export", "--format", "pdf"], 2, /'--format <name>' argument 'pdf' is invalid\. Allowed choices are csv, .*, json/],
  [["export", "--format", "ghost", "--everyone"], 2, /leave out --everyone/],
  [["export", "--output="], 2, /'--output <file>' argument '' is invalid\. It must not be empty/],
  [["export", "--lots"], 2, /unknown option '--lots'/],
  [[], 2, / sign-in .*\n(.*\n)* +unsuppress .*<address>/],
  [["--help"], 0, / sign-in .*\n(.*\n)* +unsuppress .*<address>/],
  [["nonsense"], 2, /unknown command 'nonsense'\n\nFor help: npm run owner -- --help/],
  [["import"], 2, /missing required argument 'file'/],
  [["import", "missing.csv"], 1, /There is no file missing\.csv\./],
  [["import", "--help"], 0, / --remote [\s\S]* --consent-date [\s\S]* --confirm /],
  [["unsuppress"], 2, /missing required argument 'address'/],
  [["unsuppress", "3", "--yes"], 1, /not a complete address/],
  [["sign-in", "--owner="], 2, /'--owner <address>' argument '' is invalid/],
  [["export", "--help"], 0, / --persist-to [\s\S]* --format [\s\S]* --everyone /],
])("%j exits with %d and a message", async (args, code, message) => {
  const run = await owner(...args);
  expect(run.code).toBe(code);
  expect(run.out + run.err).toMatch(message);
  expect(run.err).not.toMatch(/^\s+at /m);
});

test.each([
  ["no waitlist", false, "Create it with npm start"],
  ["one that was not migrated", true, "Migrate a local database with npm start"],
])("a folder with %s: the error says what to do", async (_, exists, advice) => {
  const persistTo = join(waitlist.folder, `other-${exists}`);
  mkdirSync(dirname(databaseFile(persistTo)), { recursive: true });
  if (exists) new DatabaseSync(databaseFile(persistTo)).close();
  const [out, err] = [new PassThrough(), new PassThrough()];
  const args = ["export", "--everyone", "--persist-to", persistTo];
  expect(await runOwner(args, { out, err, open: openDatabase })).toBe(1);
  expect(out.read()).toBeNull();
  expect(String(err.read())).toContain(advice);
});
