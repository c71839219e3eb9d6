import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { beforeAll, expect, test } from "vitest";
import { localWaitlist } from "#tests/support/local-waitlist.ts";
import { addPeople } from "#tests/support/waitlist-file.ts";

/** Several of the export's pages. */
const PEOPLE = 5_000;

const waitlist = localWaitlist();

beforeAll(() => {
  addPeople(waitlist.file, PEOPLE);
  const formula = waitlist.file.prepare("UPDATE waitlist_emails SET utm_campaign = ? WHERE id = ?");
  formula.run('=HYPERLINK("https://evil.example","x")', 2);
});

/** Exports from the open database. */
function exportTo(out: Writable, err: PassThrough, ...flags: string[]): Promise<number> {
  return waitlist.runTo(out, err, ["export", ...flags]);
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
  const output = join(waitlist.folder, "list.json");
  const out = new PassThrough();
  expect(await exportTo(out, new PassThrough(), "--format", "json", "--output", output)).toBe(0);
  expect(out.read()).toBeNull();
  const entries = JSON.parse(readFileSync(output, "utf8"));
  expect(entries).toHaveLength(PEOPLE);
  expect(entries[1]).toMatchObject({ id: 2, email: "person2@example.com", utm_campaign: expect.stringMatching(/^=/) });
  expect(statSync(output).mode & 0o777).toBe(0o600);
});

test("does not overwrite an existing file without confirmation", async () => {
  const output = join(waitlist.folder, "existing.csv");
  writeFileSync(output, "existing");
  const err = new PassThrough();
  expect(await exportTo(new PassThrough(), err, "--output", output)).toBe(1);
  expect(String(err.read())).toContain("run it again with --yes.");
  expect(readFileSync(output, "utf8")).toBe("existing");
});

test("without the HASH_KEY, only all can be exported", async () => {
  const refused = await waitlist.run(["export"], null);
  expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringContaining("HASH_KEY is not set") });
  const output = join(waitlist.folder, "everyone.csv");
  expect((await waitlist.run(["export", "--everyone", "--output", output], null)).code).toBe(0);
});
