import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { MIGRATIONS } from "#scripts/lib/local-database.ts";

/* A site with work that waits is deployed anew: the migration moves it to `jobs`. */

const sql = readdirSync(MIGRATIONS)
  .filter((name) => name.endsWith(".sql"))
  .toSorted()
  .map((name) => readFileSync(join(MIGRATIONS, name), "utf8"));

test("work that waits at a deployment goes on as a job", () => {
  const db = new DatabaseSync(":memory:");
  for (const migration of sql.slice(0, 3)) db.exec(migration);
  db.exec(`
    INSERT INTO webhook_endpoints (id, url, events, created_at) VALUES (7, 'https://a.example', '["entry.joined"]', 1);
    INSERT INTO webhook_deliveries (id, endpoint_id, event, entry_id, data, created_at, attempts, next_attempt_at, delivered_at, dead_at, reason)
    VALUES (1, 7, 'entry.joined', 5, NULL, 10, 1, 20, NULL, NULL, 'status-503'), (2, 7, 'test', NULL, NULL, 11, 1, 0, 12, NULL, NULL),
      (3, 7, 'milestone.reached', 6, '{"friends":3}', 12, 1, 0, 13, NULL, NULL), (4, 7, 'letter.finished', NULL, '{"letter_id":2}', 13, 10, 0, NULL, 14, 'timeout');
    INSERT INTO imports (id, state, file_name, columns, created_at, confirmed_at, failures, stop_reason) VALUES
      (8, 'running', 'a.csv', '[]', 1, 2, 2, NULL), (9, 'done', 'b.csv', '[]', 1, 2, 0, NULL), (10, 'stopped', 'c.csv', '[]', 1, 2, 3, 'killed');
    INSERT INTO bulk_actions (id, filter, time_zone, newest_entry_id, expected, confirmed_at) VALUES (11, '{}', 'UTC', 9, 9, 3);
    INSERT INTO fair_inbox (id, device_id, state, reason, due_at, typed_at, consent_version, sealed) VALUES
      ('a', 12, 'due', NULL, 40, 30, 'v', 's'), ('b', 12, 'due', NULL, 41, 31, 'v', 's'), ('c', 13, 'held', 'limit', 42, 32, 'v', 's');
  `);
  for (const migration of sql.slice(3)) db.exec(migration);
  const jobs = db.prepare("SELECT * FROM jobs ORDER BY kind DESC, id").all();
  expect(jobs).toMatchObject([
    {
      id: 1,
      kind: "webhook",
      subject: 7,
      created_at: 10,
      attempts: 1,
      next_attempt_at: 20,
      reason: "status",
      last_status: 503,
    },
    { id: 3, kind: "webhook", data: '{"event":"milestone.reached","entry_id":6,"friends":3}', done_at: 13 },
    { id: 4, kind: "webhook", dead_at: 14, reason: "timeout", last_status: null },
    { kind: "import", subject: 8, attempts: 2, done_at: null, dead_at: null },
    { kind: "fair", subject: 12, next_attempt_at: 40, data: null },
    { kind: "change", subject: 11, next_attempt_at: 3 },
  ]);
  expect(jobs).toHaveLength(6);
  expect(db.prepare("SELECT id, changed_at FROM fair_inbox ORDER BY id").all()).toMatchObject([
    { id: "a", changed_at: 40 },
    { id: "b", changed_at: 41 },
    { id: "c", changed_at: 42 },
  ]);
  expect(db.prepare("SELECT stop_reason FROM imports WHERE id = 10").get()).toEqual({ stop_reason: "interrupted" });
  // The triggers write to the new table.
  db.exec("INSERT INTO waitlist_emails (email, metadata, created_at) VALUES ('ada@example.com', '{}', 1)");
  expect(db.prepare("SELECT data FROM jobs ORDER BY id DESC").get()).toEqual({
    data: '{"event":"entry.joined","entry_id":1}',
  });
});
