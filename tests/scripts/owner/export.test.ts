import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { PassThrough, Writable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "#scripts/lib/local-site.ts";
import { type OpenDatabase, openDatabase } from "#scripts/owner/database.ts";
import { runOwner } from "#scripts/owner/run.ts";
import { addPeople, openWaitlistFile } from "#tests/support/waitlist-file.ts";

/** Several of the export's pages. */
const PEOPLE = 5_000;

const folder = mkdtempSync(join(tmpdir(), "waitlist-site-export-"));
const persistTo = join(folder, "state");
let file: DatabaseSync;
let database: OpenDatabase;

beforeAll(async () => {
  await migrate(persistTo);
  file = await openWaitlistFile(persistTo);
  database = await openDatabase({ remote: false, persistTo });
  addPeople(file, PEOPLE);
  const formula = file.prepare("UPDATE waitlist_emails SET utm_campaign = ? WHERE id = ?");
  formula.run('=HYPERLINK("https://evil.example","x")', 2);
});
afterAll(async () => {
  await database.close();
  file.close();
  rmSync(folder, { recursive: true });
});

/** Exports from the open database. */
function exportTo(out: Writable, err: PassThrough, ...flags: string[]): Promise<number> {
  return runOwner(["export", ...flags], { out, err, open: async () => ({ ...database, close: async () => {} }) });
}

test("exports everyone as CSV, without formulas, with progress on stderr", async () => {
  const chunks: Buffer[] = [];
  const out = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const err = new PassThrough();
  expect(await exportTo(out, err)).toBe(0);
  expect(String(err.read())).toMatch(/5,000 entries\n$/);
  const lines = Buffer.concat(chunks).toString().trimEnd().split("\r\n");
  expect(lines).toHaveLength(PEOPLE + 1);
  expect(lines[0]).toMatch(/^\ufeff"id","email",/);
  expect(lines[2]).toContain(`"'=HYPERLINK(""https://evil.example"",""x"")"`);
  expect(lines.at(-1)).toContain(`"person${PEOPLE}@example.com"`);
});

test("exports everyone as JSON to a file only the owner can read", async () => {
  const output = join(folder, "list.json");
  const out = new PassThrough();
  expect(await exportTo(out, new PassThrough(), "--format", "json", "--output", output)).toBe(0);
  expect(out.read()).toBeNull();
  const entries = JSON.parse(readFileSync(output, "utf8"));
  expect(entries).toHaveLength(PEOPLE);
  expect(entries[1]).toMatchObject({ id: 2, email: "person2@example.com", utm_campaign: expect.stringMatching(/^=/) });
  expect(statSync(output).mode & 0o777).toBe(0o600);
});

test("does not overwrite an existing file without confirmation", async () => {
  const output = join(folder, "existing.csv");
  writeFileSync(output, "existing");
  const err = new PassThrough();
  expect(await exportTo(new PassThrough(), err, "--output", output)).toBe(1);
  expect(String(err.read())).toContain("Run it again with --yes.");
  expect(readFileSync(output, "utf8")).toBe("existing");
});
