import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { peopleCsv } from "#tests/features/import/import-files.ts";
import { localWaitlist } from "#tests/support/local-waitlist.ts";
import { addPeople } from "#tests/support/waitlist-file.ts";

const waitlist = localWaitlist();

beforeEach(() => {
  waitlist.clear();
  addPeople(waitlist.file, 2);
});

/** Runs the command on a file with this content. */
function importFile(content: string, args: string[] = [], hashKey?: string | null) {
  const path = join(waitlist.folder, "list.csv");
  writeFileSync(path, content);
  return waitlist.run(["import", path, ...args], hashKey);
}

const count = (table: string) => Number(waitlist.file.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]);
const confirm = ["--confirm", "--consent-note", "Paper list", "--consent-date", "2026-10-05"];

test("without --confirm it shows the columns and every problem by line, no address, and changes nothing", async () => {
  const { code, out } = await importFile(`${peopleCsv(3)}nobody\n`);
  expect(code).toBe(0);
  expect(out).toMatch(/^Email: Email address$/m);
  expect(out).toMatch(/^Source: Source$/m);
  expect(out).toContain("4 rows: 1 to add, 2 already there, 1 left out\n  line 5: Not an email address");
  expect(out).toContain("Say how these people agreed");
  expect(out).toContain("Nothing was changed.");
  expect(out).not.toContain("@");
  expect([count("waitlist_emails"), count("imports")]).toEqual([2, 0]);
});

test("with --confirm it adds people with their consent, and leaves alone who is there", async () => {
  const { code, out, err } = await importFile(peopleCsv(1_500), [...confirm, "--welcome"]);
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining("Added 1,498 people.") });
  expect(err).toBe("Importing part 1 of 2\nImporting part 2 of 2\n");
  expect([count("waitlist_emails"), count("import_chunks")]).toEqual([1_500, 0]);
  expect(count("email_outbox WHERE priority = 4")).toBe(1_498);
  const added = waitlist.file.prepare("SELECT * FROM waitlist_emails WHERE email = 'person3@example.com'").get();
  expect(added).toMatchObject({ source: "autumn_fair", consent_note: "Paper list", import_id: 1 });
  expect(waitlist.file.prepare("SELECT * FROM owner_log").all()).toMatchObject([
    { actor: "command line", action: "import" },
  ]);
  // The same file again adds no one.
  expect((await importFile(peopleCsv(1_500), confirm)).out).toContain(
    "Added 0 people. Already on the waitlist, unchanged: 1500.",
  );
});

test("after an interruption the same command continues", async () => {
  await importFile(peopleCsv(1_500), confirm);
  // As it was after the first of two chunks. People who are there use up a number.
  waitlist.file.exec("DELETE FROM waitlist_emails WHERE id > 1002");
  waitlist.file.exec("UPDATE imports SET state = 'running', position = 1, added = 998");
  waitlist.file.exec("INSERT INTO jobs (kind, subject, next_attempt_at, created_at) VALUES ('import', 1, 0, 0)");
  const rows = Array.from({ length: 500 }, (_, index) => [
    index + 1_002,
    [`person${index + 1_001}@example.com`, "2026-10-05", "x"],
  ]);
  waitlist.file.prepare("INSERT INTO import_chunks VALUES (1, 1, ?)").run(JSON.stringify(rows));
  const { code, out } = await importFile(peopleCsv(1_500), ["--confirm"]);
  expect(code).toBe(0);
  expect(out).toContain("Continuing: 998 of 1500 rows have already been added.\nAdded 1,498 people.");
  expect([count("waitlist_emails"), count("imports")]).toEqual([1_500, 1]);
});

test("a column's name cannot control the owner's terminal", async () => {
  const { out } = await importFile("email,\u001b[2J\u009b2Jgone\u202e\nx@example.com,1\n");
  expect(out).toMatch(/^gone: left out$/m);
  expect(out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test("headings say what columns hold; an answer that is not known stays empty, and is named", async () => {
  const { out } = await importFile("E-mail;Note;Role\nx@example.com;Met her;Juggler\n", confirm);
  expect(out).toContain("answer_role: left empty, because these are not known: juggler (1).\n");
  expect(out).toContain("Added 1 person.");
  const added = waitlist.file.prepare("SELECT owner_note, answers FROM waitlist_emails WHERE email = 'x@example.com'");
  expect(added.get()).toEqual({ owner_note: "Met her", answers: null });
});

test.each([
  ["no column with addresses", "Wer\nx@example.com\n", "No column holds the email addresses."],
  ["an unknown status", "email,status\nx@example.com,VIP\ny@example.com,active\n", "status: not known: vip (1)."],
  ["dates that can be read in two ways", "email,joined\nx@example.com,03/04/2026\n", "1 dates can be read in two ways"],
])("%s: it is refused with where to settle it, and no one is added", async (_what, content, message) => {
  const { code, out, err } = await importFile(content, confirm);
  expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining(message) });
  expect(err).toMatch(
    /Nothing was changed\.[\s\S]*Correct the headings, words and dates in the file[\s\S]*\/owner\/import/,
  );
  expect([count("imports"), count("waitlist_emails")]).toEqual([0, 2]);
});

test.each([
  ["no consent", "email\nx@example.com\n", ["--confirm"], undefined, "Give --consent-date and --consent-note."],
  ["no one to import", "email\nnobody\n", confirm, undefined, "There is no one to import"],
  ["no HASH_KEY", "email\ny@example.com\n", confirm, null, "HASH_KEY is not set"],
])("%s: it is refused with the reason", async (_what, content, args, hashKey, message) => {
  expect(await importFile(content, args, hashKey)).toMatchObject({ code: 1, err: expect.stringContaining(message) });
  expect([count("imports"), count("waitlist_emails")]).toEqual([0, 2]);
});
