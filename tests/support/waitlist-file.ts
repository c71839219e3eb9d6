import { DatabaseSync } from "node:sqlite";
import { databaseFile } from "#scripts/lib/local-database.ts";

/** Opens a local D1's SQLite file, to fill it quickly and to inspect every table. */
export async function openWaitlistFile(persistTo: string): Promise<DatabaseSync> {
  return new DatabaseSync(databaseFile(persistTo), { timeout: 5_000 });
}

/** Adds entries `person1@example.com`, `person2@example.com` …, one a minute, each with a sent welcome email. */
export function addPeople(database: DatabaseSync, count: number): void {
  const people = `WITH RECURSIVE person(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM person WHERE n < ${count})`;
  database.exec(`BEGIN;
    ${people} INSERT INTO waitlist_emails (email, metadata, created_at)
      SELECT 'person' || n || '@example.com', '{}', 1790000000000 + n * 60000 FROM person;
    ${people} INSERT INTO email_outbox
        (id, entry_id, kind, dedupe_key, priority, attempts, next_attempt_at, done_at, created_at)
      SELECT 'mail-' || n, n, 'welcome', 'welcome:' || n, 1, 1, 1790000000000, 1790000000000, 1790000000000 FROM person;
    COMMIT;`);
}

/** Every value in every table, as text. */
export function dumpDatabase(database: DatabaseSync): string {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  return tables.map(({ name }) => JSON.stringify(database.prepare(`SELECT * FROM "${name}"`).all())).join("\n");
}
