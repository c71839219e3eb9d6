import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { root } from "#scripts/lib/commands.ts";
import { MIGRATIONS, migrationNames } from "#scripts/lib/local-database.ts";
import { addPeople } from "#tests/support/waitlist-file.ts";

const guide = readFileSync(join(root, "docs", "deploying.md"), "utf8");

/** The guide's SQL that begins so. */
function documentedSql(beginning: string): string {
  const [, sql] = RegExp(`"(${beginning}[^"]*)"`).exec(guide) ?? [];
  if (sql === undefined) throw new Error(`docs/deploying.md has no ${beginning}`);
  return sql;
}

function waitlist(people: number): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  for (const file of migrationNames()) database.exec(readFileSync(join(MIGRATIONS, file), "utf8"));
  addPeople(database, people);
  return database;
}

test("after the documented restore, people who had been erased are erased again, with their emails, and counted", () => {
  const database = waitlist(3);
  const today = new Date().toISOString().slice(0, 10);
  for (const [ids, erased] of [
    ["1,3", 2],
    ["", 2],
    ["2", 3],
  ] as const) {
    database.exec(documentedSql("INSERT INTO erased_totals").replaceAll("$erased", ids));
    expect({ ...database.prepare("SELECT * FROM erased_totals").get() }).toEqual({ day: today, count: erased });
    for (const table of ["waitlist_emails", "email_outbox"]) {
      expect(database.prepare(`SELECT * FROM ${table}`).all()).toHaveLength(3 - erased);
    }
  }
});

test.each([
  ["the newest entry was erased before the restore", 3, 2],
  ["the restored database has a higher id", 2, 3],
])("after the documented restore no id is given twice: %s", (_name, before, restored) => {
  const old = waitlist(before);
  old.exec(`DELETE FROM waitlist_emails WHERE id = ${before}`);
  const { seq } = old.prepare(documentedSql("SELECT seq FROM")).get() ?? {};
  expect(seq).toBe(before);
  const database = waitlist(restored);
  database.exec("INSERT INTO owner_sessions SELECT 'a', 'b', 1, 1");
  database.exec(documentedSql("UPDATE sqlite_sequence").replace("$seq", String(seq)));
  database.exec("INSERT INTO waitlist_emails (email, metadata, created_at) VALUES ('dora@example.com', '{}', 1)");
  const { id } = database.prepare("SELECT id FROM waitlist_emails WHERE email = 'dora@example.com'").get() ?? {};
  expect(id).toBe(4);
  expect(database.prepare("SELECT * FROM owner_sessions").all()).toEqual([]);
});
