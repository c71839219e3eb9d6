import { DatabaseSync } from "node:sqlite";

/** A page of text, as a letter has. */
const BODY = Array.from({ length: 8 }, (_, n) =>
  `## Part ${n}\n\nWe open the market on Friday, and *you* are invited. `.repeat(3),
)
  .concat("**[Open the market](https://example.com/)**")
  .join("\n\n");

/** Adds people, and a letter to everyone that is being sent and that has paused after its first recipients. */
export function addLetter(file: string, people: number): void {
  using database = new DatabaseSync(file, { timeout: 10_000 });
  const now = Date.now();
  database.exec("BEGIN IMMEDIATE");
  database
    .prepare(`WITH RECURSIVE person(n) AS (SELECT 1 WHERE ?1 > 0 UNION ALL SELECT n + 1 FROM person WHERE n < ?1)
      INSERT INTO waitlist_emails (email, address_hash, metadata, created_at)
      SELECT 'letter-' || n || '@example.com', hex(randomblob(16)), '{}', ?2 FROM person`)
    .run(people, now - 86_400_000);
  database
    .prepare(`INSERT INTO letters (key, state, subject, preview_line, body, audience, created_at, updated_at, started_at,
      expected, newest_entry_id, had_first_pause)
      SELECT lower(hex(randomblob(16))), 'sending', 'We open on Friday', 'Come and see', ?, '{"filter":{}}', ?, ?, ?,
        count(*), max(id), 1 FROM waitlist_emails`)
    .run(BODY, now, now, now);
  database.exec("COMMIT");
}
