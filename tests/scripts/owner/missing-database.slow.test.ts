import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { databaseFile } from "#scripts/lib/local-database.ts";
import { runScript } from "#tests/support/run-script.ts";

const folder = mkdtempSync(join(tmpdir(), "waitlist-site-owner-"));
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 3 }));

test("a folder with no waitlist, or an unmigrated one: the error says what to do", async () => {
  const none = await runScript("owner", ["export", "--persist-to", join(folder, "none")]);
  expect(none).toMatchObject({ code: 1, out: "" });
  expect(none.err).toContain("Create it with npm start");
  const file = databaseFile(join(folder, "empty"));
  mkdirSync(dirname(file), { recursive: true });
  new DatabaseSync(file).close();
  const empty = await runScript("owner", ["export", "--everyone", "--persist-to", join(folder, "empty")]);
  expect(empty).toMatchObject({ code: 1, out: "" });
  expect(empty.err).toContain("Migrate a local database with npm start");
});
