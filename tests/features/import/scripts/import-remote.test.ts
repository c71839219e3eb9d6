import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { peopleCsv } from "#tests/features/import/import-files.ts";
import { cloudflare, owner, remoteWaitlistForEachTest, signedIn } from "#tests/support/cloudflare/remote-waitlist.ts";
import { temporaryFolder } from "#tests/support/temporary-folder.ts";

remoteWaitlistForEachTest();

test("import adds people over HTTP, once, and leaves out those who asked for no email", async () => {
  const { sqlite } = cloudflare.database("waitlist-site");
  const key = "the-hash-key-of-the-deployed-waitlist";
  const hash = await keyedHash("address:v1", "person7@example.com", key);
  sqlite.prepare("INSERT INTO suppressions VALUES (?, 'never', NULL, 1)").run(hash);
  const file = join(temporaryFolder(), "list.csv");
  writeFileSync(file, `${peopleCsv(1_200)}x@mailinator.com,2026-10-05,fair\r\ny@yopmail.com,2026-10-05,fair\r\n`);
  const command = ["import", file, "--consent-note", "Paper list", "--welcome"];
  expect((await owner(command)).out).toContain("1202 rows: 1199 to add, 3 already there, 0 left out");
  expect(await owner([...command, "--confirm"])).toMatchObject({ code: 1, err: expect.stringContaining("HASH_KEY") });
  expect(sqlite.prepare("SELECT count(*) AS n FROM imports").get()).toEqual({ n: 0 });
  const { code, out } = await owner([...command, "--confirm"], signedIn, {
    HASH_KEY: key,
    DISPOSABLE_ALLOWED: "mailinator.com",
  });
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining("Added 1,198 people.") });
  expect(out).toContain("Not added, because they get no email: 1.");
  expect(sqlite.prepare("SELECT count(*) AS n FROM waitlist_emails").get()).toEqual({ n: 1_201 });
  expect(sqlite.prepare("SELECT count(*) AS n FROM email_outbox WHERE priority = 4").get()).toEqual({ n: 1_198 });
  const disposable = sqlite.prepare("SELECT email FROM waitlist_emails WHERE disposable").all();
  expect(disposable.map(({ email }) => email)).toEqual(["y@yopmail.com"]);
});
