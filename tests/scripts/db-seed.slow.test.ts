import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { normaliseEmail } from "#app/server/email-address.ts";
import { migrate } from "#scripts/lib/local-database.ts";
import { runScript } from "#tests/support/run-script.ts";
import { addPeople, openWaitlistFile } from "#tests/support/waitlist-file.ts";

const folder = mkdtempSync(join(tmpdir(), "waitlist-site-seed-"));
const persistTo = join(folder, "state");
const seed = (entries: number) => runScript("db-seed", ["--entries", String(entries), "--persist-to", persistTo]);

/** More than 97, because the sample data depends on remainders of ids. */
const REAL = 200;

beforeAll(() => {
  migrate(persistTo);
});
afterAll(() => rmSync(folder, { recursive: true }));

test("10,000 sample entries beside real ones: all addresses are valid, the real entries stay as they are", async () => {
  using file = await openWaitlistFile(persistTo);
  addPeople(file, REAL);
  const today = new Date().toISOString().slice(0, 10);
  file.prepare("INSERT INTO blocked_attempts (day, reason, count) VALUES (?, 'body', 4321)").run(today);
  const real = () => ({
    entries: file.prepare("SELECT * FROM waitlist_emails WHERE email LIKE 'person%' ORDER BY id").all(),
    emails: file.prepare("SELECT * FROM email_outbox WHERE entry_id <= ? ORDER BY id").all(REAL),
    blocked: file.prepare("SELECT * FROM blocked_attempts WHERE day = ? AND reason = 'body'").all(today),
  });
  const before = real();
  expect(before.entries).toHaveLength(REAL);

  const first = await seed(10_000);
  expect(first).toMatchObject({ code: 0, err: "" });
  expect(first.out).toMatch(/There were +200 entries.*\nAdded +10,000 entries.*\nThere are +10,200 entries\n$/);
  expect(real()).toEqual(before);
  const addresses = file
    .prepare("SELECT email FROM waitlist_emails")
    .all()
    .map(({ email }) => email);
  expect(addresses).toHaveLength(10_000 + REAL);
  expect(addresses.filter((email) => normaliseEmail(email) !== email)).toEqual([]);
  const unsubscribed = file.prepare("SELECT count(*) AS n FROM waitlist_emails WHERE status = 'unsubscribed'").get();
  expect(unsubscribed?.["n"]).toBeGreaterThan(100);

  const again = await seed(10_000);
  expect(again.out).toMatch(/There were +10,200 entries.*\nAdded +0 entries.*\nThere are +10,200 entries\n$/);
  expect(real()).toEqual(before);
});
