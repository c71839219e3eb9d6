import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";

/** The statements of a migration. */
const statements = (name: string) =>
  readFileSync(`${import.meta.dirname}/../../migrations/${name}.sql`, "utf8").split("--> statement-breakpoint");

test("a database from before the questions keeps what people said, and whom letters and imports are about", () => {
  using database = new DatabaseSync(":memory:");
  for (const statement of statements("0000_schema")) database.exec(statement);
  const add = database.prepare(
    "INSERT INTO waitlist_emails (email, metadata, role, created_at) VALUES (?, '{}', ?, 1)",
  );
  for (const [email, role] of [
    ["ada@example.com", "host"],
    ["bob@example.com", null],
  ] as const)
    add.run(email, role);
  const letter = database.prepare(
    "INSERT INTO letters (key, subject, preview_line, body, audience, created_at, updated_at) VALUES (hex(randomblob(8)), '', '', '', ?, 1, 1)",
  );
  const audiences = [
    { filter: { role: "host", source: "stall" }, first: 5 },
    { filter: { role: "none" } },
    { filter: {} },
  ];
  for (const audience of audiences) letter.run(JSON.stringify(audience));
  database
    .prepare("INSERT INTO imports (file_name, columns, settings, created_at) VALUES ('x', '[]', ?, 1)")
    .run('{"mapping":["email","role",null]}');

  for (const statement of statements("0001_answers")) database.exec(statement);

  const read = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row)[0]);
  expect(read("SELECT answers FROM waitlist_emails ORDER BY id")).toEqual(['{"role":"host"}', null]);
  expect(read("SELECT audience FROM letters ORDER BY id").map((text) => JSON.parse(String(text)))).toEqual([
    { filter: { source: "stall", answers: { role: "host" } }, first: 5 },
    { filter: { answers: { role: null } } },
    { filter: {} },
  ]);
  expect(read("SELECT settings FROM imports")).toEqual(['{"mapping":["email","answer_role",null]}']);
});
