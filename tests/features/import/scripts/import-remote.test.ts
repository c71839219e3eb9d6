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
  const HASH_KEY = "the-hash-key-of-the-deployed-waitlist";
  const hash = await keyedHash("address:v1", "person7@example.com", HASH_KEY);
  sqlite.prepare("INSERT INTO suppressions VALUES (?, 'never', NULL, 1)").run(hash);
  const file = join(temporaryFolder(), "list.csv");
  writeFileSync(file, `${peopleCsv(1_200)}x@mailinator.com,2026-10-05,fair\r\ny@yopmail.com,2026-10-05,fair\r\n`);
  const command = ["import", file, "--consent-note", "Paper list", "--welcome"];
  expect((await owner(command)).out).toContain("1202 rows: 1199 to add, 3 already there and unchanged, 0 left out");
  expect((await owner([...command, "--confirm"])).err).toContain("HASH_KEY");
  const vars = { HASH_KEY, DISPOSABLE_ALLOWED: "mailinator.com" };
  const { out } = await owner([...command, "--confirm"], signedIn, vars);
  expect(out).toMatch(/Added 1,198 people\..* Not added, because they get no email: 1\./);
  const all = (from: string) => sqlite.prepare(`SELECT * FROM ${from}`).all();
  expect([all("imports"), all("waitlist_emails"), all("email_outbox WHERE priority = 4")]).toMatchObject([
    { length: 1 },
    { length: 1_201 },
    { length: 1_198 },
  ]);
  expect(all("waitlist_emails WHERE disposable")).toMatchObject([{ email: "y@yopmail.com" }]);
});
