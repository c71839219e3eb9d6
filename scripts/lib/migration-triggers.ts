import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { MIGRATIONS, migrationNames } from "#scripts/lib/local-database.ts";

const ADVICE = "If it drops a feature's tables, see “Delete a feature's tables, too” in docs/make-it-yours.md.";

/**
 * Applies the migrations to an empty database, and looks at the triggers after each. SQLite lets a migration drop a table
 * that a trigger of another table names: every later write to that table fails. With a table, its own triggers go, too,
 * also where a migration rebuilds it.
 *
 * @returns what is wrong with the first migration that breaks or loses a trigger; null if none does
 */
export function findTriggerProblem(folder = MIGRATIONS): string | null {
  using database = new DatabaseSync(":memory:");
  for (const name of migrationNames(folder)) {
    const before = readTriggers(database);
    const sql = readFileSync(join(folder, name), "utf8");
    try {
      database.exec(sql);
    } catch (error) {
      return `${name} fails: ${(error as Error).message}. ${ADVICE}`;
    }
    const after = readTriggers(database);
    const isDropped = (trigger: string) => new RegExp(`DROP TRIGGER\\s[^;]*\\b${trigger}\\b`, "i").test(sql);
    const lost = [...before.keys()].find((trigger) => !after.has(trigger) && !isDropped(trigger));
    if (lost !== undefined) {
      return `${name} drops or rebuilds ${before.get(lost)}, and the trigger ${lost} with it. Drop the trigger first, and create it again if the table stays. ${ADVICE}`;
    }
    for (const table of new Set(after.values())) {
      const reason = whyUnwritable(database, table);
      if (reason !== null) {
        return `${name} breaks a trigger: every write to ${table} would fail (${reason}). Drop the trigger first. ${ADVICE}`;
      }
    }
  }
  return null;
}

/** The table of each trigger. */
function readTriggers(database: DatabaseSync): Map<string, string> {
  const triggers = database.prepare("SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'").all();
  return new Map(triggers.map(({ name, tbl_name }) => [String(name), String(tbl_name)]));
}

/** Prepares a statement of each kind, which compiles the table's triggers. @returns SQLite's reason for refusing one */
function whyUnwritable(database: DatabaseSync, table: string): string | null {
  const columns = database.prepare("SELECT name FROM pragma_table_info(?)").all(table);
  const assignments = columns.map(({ name }) => `"${name}" = "${name}"`).join(", ");
  try {
    database.prepare(`INSERT INTO "${table}" DEFAULT VALUES`);
    database.prepare(`UPDATE "${table}" SET ${assignments}`);
    database.prepare(`DELETE FROM "${table}"`);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
