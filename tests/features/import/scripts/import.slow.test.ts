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

const all = (table: string) => waitlist.file.prepare(`SELECT * FROM ${table}`).all();
const confirm = ["--confirm", "--consent-note", "Paper list", "--consent-date", "2026-10-05"];

test("without --confirm it shows the columns and every problem by line, no address, and changes nothing", async () => {
  const { code, out } = await importFile(`${peopleCsv(3).replace("Source", "\u001b[2J\u009b2JStall\u202e")}nobody\n`);
  expect([code, out]).toEqual([0, expect.stringMatching(/^Email: Email address\n(.*\n)*Stall: left out$/m)]);
  expect(out).toContain("4 rows: 1 to add, 2 already there and unchanged, 1 left out\n  line 5: Not an email address");
  expect(out).toMatch(/Say how these people agreed[\s\S]*Nothing was changed\./);
  // Nor can a column's name control the terminal.
  expect(out.replaceAll("\n", "")).not.toMatch(/@|[\p{Cc}\p{Cf}]/u);
  expect([all("waitlist_emails").length, all("imports")]).toEqual([2, []]);
});

test("with --confirm it adds people with their consent, once; after an interruption the same command continues", async () => {
  const { out, err } = await importFile(peopleCsv(1_500), [...confirm, "--welcome"]);
  expect([out, err]).toEqual([
    expect.stringContaining("Added 1,498 people."),
    "Importing part 1 of 2\nImporting part 2 of 2\n",
  ]);
  expect([all("import_chunks"), all("email_outbox WHERE priority = 4").length]).toEqual([[], 1_498]);
  expect(all("waitlist_emails")[2]).toMatchObject({ source: "autumn_fair", consent_note: "Paper list", import_id: 1 });
  expect(all("owner_log")).toMatchObject([{ actor: "command line", action: "import" }]);
  const again = await importFile(peopleCsv(1_500), confirm);
  expect(again.out).toMatch(/Added 0 people\..* Already on the waitlist, unchanged: 1500\./);
  // As it was after the first of two chunks. People who are there use up a number.
  waitlist.file.exec("DELETE FROM waitlist_emails WHERE id > 1002");
  waitlist.file.exec("UPDATE imports SET state = 'running', position = 1, added = 998 WHERE id = 1");
  waitlist.file.exec("INSERT INTO jobs (kind, subject, next_attempt_at, created_at) VALUES ('import', 1, 0, 0)");
  const rest = peopleCsv(1_500).trim().split("\r\n").slice(1_001);
  const rows = JSON.stringify(rest.map((line, index) => [index + 1_002, line.split(",")]));
  waitlist.file.prepare("INSERT INTO import_chunks VALUES (1, 1, ?)").run(rows);
  const continued = await importFile(peopleCsv(1_500), ["--confirm"]);
  expect(continued.out).toContain("Continuing: 998 of 1500 rows have already been added.\nAdded 1,498 people.");
  expect([all("waitlist_emails").length, all("imports").length]).toEqual([1_500, 2]);
});

test("--separator, --time-zone and --keep-opted-out say how the file is read; an unknown answer stays empty", async () => {
  const rows = ["x@example.com;Met her;Juggler;2026-10-05 00:30;active", "person1@example.com;;;;cancelled"];
  const file = ["E-mail;Note;Role;Joined on;Status", ...rows].join("\n");
  const zone = ["--separator", ";", "--time-zone", "America/Los_Angeles"];
  const { out } = await importFile(file, [...confirm, ...zone, "--keep-opted-out"]);
  expect(out).toContain("1 on the waitlist opted out by the file: unchanged");
  expect(out).toContain("Role: left empty, because these are not known: juggler (1).\n");
  const [kept, , added] = all("waitlist_emails");
  const joined = { owner_note: "Met her", answers: null, created_at: Date.UTC(2026, 9, 5, 7, 30) };
  expect([kept, added]).toMatchObject([{ status: "active" }, joined]);
  await importFile(file, confirm);
  expect(all("waitlist_emails")[0]).toMatchObject({ status: "unsubscribed", unsubscribe_reason: "import" });
});

const elsewhere = /Nothing was changed\.[\s\S]*Correct the headings, words and dates in the file[\s\S]*\/owner\/import/;

test.each<[content: string, args: string[], out: string, err: RegExp, hashKey?: null]>([
  ["Wer\nx@example.com\n", confirm, "No column holds the email addresses.", elsewhere],
  ["email,status\nx@example.com,VIP\n", confirm, "status: not known: vip (1).", elsewhere],
  ["email,joined\nx@example.com,03/04/2026\n", confirm, "1 dates can be read in two ways", elsewhere],
  ['email\n"x"y\n', confirm, "", /in line 2 has a quotation mark/],
  ["email\nx@example.com\n", ["--confirm"], "", /Give --consent-date and --consent-note\./],
  ["email\nx@example.com\n", [...confirm, "--time-zone", "Mars"], "", /There is no time zone Mars\./],
  ["email\nnobody\n", confirm, "", /There is no one to import/],
  ["email\ny@example.com\n", confirm, "", /HASH_KEY is not set/, null],
])("%j is refused with the reason, and no one is added", async (content, args, message, reason, hashKey) => {
  const { code, out, err } = await importFile(content, args, hashKey);
  expect([code, out, err]).toEqual([1, expect.stringContaining(message), expect.stringMatching(reason)]);
  expect([all("imports"), all("waitlist_emails").length]).toEqual([[], 2]);
});
