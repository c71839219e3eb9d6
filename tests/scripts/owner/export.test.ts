import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { localWaitlist } from "#tests/support/local-waitlist.ts";
import { addPeople } from "#tests/support/waitlist-file.ts";

const waitlist = localWaitlist();
const output = (name: string) => join(waitlist.folder, name);

beforeAll(() => {
  // Several of the export's pages.
  addPeople(waitlist.file, 5_000);
  const formula = waitlist.file.prepare("UPDATE waitlist_emails SET utm_campaign = ? WHERE id = ?");
  formula.run('=HYPERLINK("https://evil.example","x")', 2);
});

test("exports everyone as CSV, without formulas, with progress on stderr", async () => {
  const { code, out, err } = await waitlist.run(["export", "--output", output("all.csv")]);
  expect({ code, out, err }).toMatchObject({ code: 0, out: "", err: expect.stringMatching(/5,000 entries\n$/) });
  const lines = readFileSync(output("all.csv"), "utf8").trimEnd().split("\r\n");
  expect(lines).toHaveLength(5_001);
  expect(lines[0]).toMatch(/^\ufeff"id","email",/);
  expect(lines[2]).toContain(`"'=HYPERLINK(""https://evil.example"",""x"")"`);
  expect(lines.at(-1)).toContain('"person5000@example.com"');
});

test("exports everyone as JSON to a file only the owner can read", async () => {
  expect(await waitlist.run(["export", "--format", "json", "--output", output("all.json")])).toMatchObject({ out: "" });
  const entries = JSON.parse(readFileSync(output("all.json"), "utf8"));
  expect(entries).toHaveLength(5_000);
  expect(entries[1]).toMatchObject({ id: 2, email: "person2@example.com", utm_campaign: expect.stringMatching(/^=/) });
  expect(statSync(output("all.json")).mode & 0o777).toBe(0o600);
});

test("does not overwrite an existing file without confirmation", async () => {
  writeFileSync(output("existing.csv"), "existing");
  const { code, err } = await waitlist.run(["export", "--output", output("existing.csv")]);
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining("run it again with --yes.") });
  expect(readFileSync(output("existing.csv"), "utf8")).toBe("existing");
});

test("without the HASH_KEY, only all can be exported", async () => {
  const refused = await waitlist.run(["export"], null);
  expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringContaining("HASH_KEY is not set") });
  const everyone = ["export", "--everyone", "--output", output("everyone.csv")];
  expect((await waitlist.run(everyone, null)).code).toBe(0);
});
