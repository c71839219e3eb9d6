import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { databaseFile, migrate } from "#scripts/lib/local-database.ts";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { listen } from "#tests/support/listen.ts";
import { runScript } from "#tests/support/run-script.ts";
import { startScript } from "#tests/support/running-script.ts";

const folder = mkdtempSync(join(tmpdir(), "waitlist-site-start-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

/** Runs `npm start` with flags that it must reject before doing anything. */
async function refused(...flags: string[]): Promise<string> {
  const script = startScript("start", ["--persist-to", folder, ...flags]);
  expect(await script.closed).toBe(2);
  return script.output();
}

test("malformed and unknown variables are rejected by name, before anything is changed", async () => {
  const output = await refused("--var", "SURVEY_URL:http://forms.example", "--var", "OWNER_MAIL:ada@example.com");
  expect(output).toBe(
    `OWNER_MAIL: is not a variable of this site. docs/configuration.md lists them.
SURVEY_URL: must be an https:// address

For help: npm start -- --help
`,
  );
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  [["--port", "70000"], "--port 70000 is not a port number"],
  [["--var", "SURVEY_URL"], "argument 'SURVEY_URL' is invalid. It must have the form NAME:value."],
  [["--local-protocol", "ftp"], "Allowed choices are http, https."],
  [
    ["--local-protocol", "https", "--port", "8799", "--var", "SITE_URL:http://localhost:8799"],
    "SITE_URL is http://localhost:8799, but --local-protocol is https. Change one of them.",
  ],
  [["--persist-to="], "It must not be empty."],
])("%j is rejected: %s", async (flags, message) => expect(await refused(...flags)).toContain(message));

test.each(["start", "dev"])("npm run %s rejects unknown and malformed variables in .dev.vars, too", async (script) => {
  const clone = cleanClone();
  onTestFinished(clone.remove);
  writeFileSync(join(clone.folder, ".dev.vars"), "OWNER_MAIL=ada@market.test\nSURVEY_URL=http://forms.test\n");
  const { code, err } = await runScript(script, [], { folder: clone.folder });
  expect(code).toBe(2);
  expect(err).toContain("OWNER_MAIL: is not a variable of this site. docs/configuration.md lists them.");
  expect(err).toMatch(/^SURVEY_URL: must be /m);
  // Before anything was built or migrated.
  for (const folder of ["build", ".wrangler"]) expect(existsSync(join(clone.folder, folder))).toBe(false);
});

test("npm run dev refuses --local-protocol", async () => {
  const { code, err } = await runScript("dev", ["--local-protocol=https", "--persist-to", folder]);
  expect(code).toBe(2);
  expect(err).toContain("npm run dev serves http only. For https: npm start -- --local-protocol https");
});

test("a port in use is rejected with an alternative", async () => {
  const port = await listen(createServer());
  expect(await refused("--port", String(port))).toContain(`Port ${port} is in use`);
});

test("a local database from another version is left alone", async () => {
  const persistTo = mkdtempSync(join(folder, "older-"));
  migrate(persistTo);
  const change = "UPDATE d1_migrations SET name = '0000_older.sql' WHERE id = 1";
  new DatabaseSync(databaseFile(persistTo)).exec(change);
  const output = await refused("--persist-to", persistTo);
  expect(output).toContain("is from another version: it has the migration 0000_older.sql.");
});
