import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MIGRATIONS } from "#scripts/lib/local-database.ts";
import { findTriggerProblem } from "#scripts/lib/migration-triggers.ts";
import { temporaryFolder } from "#tests/support/temporary-folder.ts";

/** What is found with one more migration. */
function problemWith(sql: string): string | null {
  const folder = temporaryFolder();
  cpSync(MIGRATIONS, folder, { recursive: true });
  writeFileSync(join(folder, "0900_more.sql"), sql);
  return findTriggerProblem(folder);
}

const triggers = [
  "joined",
  "rejoined",
  "confirmed",
  "unsubscribed",
  "answered",
  "erased",
  "changed",
  "milestone",
  "letter",
];
const dropTriggers = triggers.map((name) => `DROP TRIGGER \`webhook_${name}\`;--> statement-breakpoint\n`).join("");
const dropTable = "DROP TABLE `webhook_endpoints`;";

test.each([
  ["adds a column", "ALTER TABLE `waitlist_emails` ADD `shoe_size` integer;"],
  ["drops a table that no trigger names", "DROP TABLE `saved_views`;"],
  ["drops the triggers before their table", dropTriggers + dropTable],
])("a migration passes that %s", (_, sql) => {
  expect(problemWith(sql)).toBeNull();
});

test.each([
  ["drops a table that a trigger names", dropTable, "every write to waitlist_emails would fail"],
  ["drops a table with a trigger", "DROP TABLE `letters`;", "the trigger webhook_letter with it"],
  [
    "rebuilds a table with a trigger, as drizzle-kit does to change a column",
    "CREATE TABLE `__new` (`entry_id` integer, `friends` integer); DROP TABLE `reached_milestones`; ALTER TABLE `__new` RENAME TO `reached_milestones`;",
    "the trigger webhook_milestone with it",
  ],
  [
    "renames a table while a trigger is broken",
    "DROP TABLE `webhook_endpoints`; ALTER TABLE `saved_views` RENAME TO `views`;",
    "0900_more.sql fails: error in trigger webhook_",
  ],
])("a migration is refused that %s", (_, sql, reason) => {
  expect(problemWith(sql)).toContain("0900_more.sql ");
  expect(problemWith(sql)).toContain(reason);
});
