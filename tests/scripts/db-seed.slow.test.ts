import { join } from "node:path";
import { expect, test } from "vitest";
import { migrate } from "#scripts/lib/local-database.ts";
import { runScript } from "#tests/support/run-script.ts";
import { temporaryFolder } from "#tests/support/temporary-folder.ts";
import { addPeople, openWaitlistFile } from "#tests/support/waitlist-file.ts";

test("sample entries come beside real ones, which stay as they are; another run adds none", async () => {
  const persistTo = join(temporaryFolder(), "state");
  migrate(persistTo);
  using file = await openWaitlistFile(persistTo);
  // More than 97, because the sample data depends on remainders of ids.
  addPeople(file, 200);
  const today = new Date().toISOString().slice(0, 10);
  file.prepare("INSERT INTO blocked_attempts (day, reason, count) VALUES (?, 'body', 4321)").run(today);
  const real = () => [
    file.prepare("SELECT * FROM waitlist_emails WHERE email LIKE 'person%' ORDER BY id").all(),
    file.prepare("SELECT * FROM email_outbox WHERE entry_id <= 200 ORDER BY id").all(),
    file.prepare("SELECT * FROM blocked_attempts WHERE day = ? AND reason = 'body'").all(today),
  ];
  const before = real();
  const seed = () => runScript("db-seed", ["--entries", "10000", "--persist-to", persistTo]);
  const first = await seed();
  expect(first).toMatchObject({ code: 0, err: "" });
  expect(first.out).toMatch(/There were +200 entries.*\nAdded +10,000 entries.*\nThere are +10,200 entries\n$/);
  expect(real()).toEqual(before);
  const counts = file.prepare(
    "SELECT count(DISTINCT email) AS people, sum(status = 'unsubscribed') AS left FROM waitlist_emails",
  );
  expect(counts.get()).toEqual({ people: 10_200, left: expect.any(Number) });
  expect(counts.get()?.["left"]).toBeGreaterThan(100);
  expect((await seed()).out).toMatch(/There were +10,200 entries.*\nAdded +0 entries/);
  expect(real()).toEqual(before);
});
