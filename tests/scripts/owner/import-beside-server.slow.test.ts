import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { databaseFile } from "#scripts/lib/local-database.ts";
import { freePort } from "#scripts/lib/ports.ts";
import { peopleCsv } from "#tests/support/import-files.ts";
import { startScript } from "#tests/support/running-script.ts";

vi.setConfig({ testTimeout: 300_000 });

test("beside a running server that is writing, import says how many people were added, and the same command continues", async () => {
  const folder = mkdtempSync(join(tmpdir(), "waitlist-site-import-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const port = String(await freePort());
  const server = startScript("start", ["--port", port, "--persist-to", folder, "--inspector-port", "0"]);
  onTestFinished(() => server.end("SIGTERM").then(() => {}));
  await server.printed(/Ctrl\+C/);

  const list = join(folder, "list.csv");
  writeFileSync(list, peopleCsv(20_000));
  const consent = ["--consent-note", "Paper list", "--consent-date", "2026-10-05"];
  const args = ["import", list, "--confirm", ...consent, "--persist-to", folder];
  const busy = startScript("owner", args);
  await busy.printed(/Importing part 3 of/);
  // Another program that writes for longer than the command waits.
  const other = new DatabaseSync(databaseFile(folder), { timeout: 60_000 });
  other.exec("BEGIN IMMEDIATE");
  const code = await busy.closed;
  const { added } = other.prepare("SELECT added FROM imports").get() as { added: number };
  other.exec("ROLLBACK");
  expect(added).toBeGreaterThan(0);
  expect(busy.output()).not.toContain("Nothing was changed");
  expect(busy.output()).toMatch(
    /The import was interrupted: Another program is writing to the database\.\n\nAt least [\d,]+ people were added\.\n\nRun the same command again/,
  );
  expect(code).toBe(1);

  const again = startScript("owner", args);
  expect(await again.closed).toBe(0);
  expect(again.output()).toMatch(/Continuing: \d+ of 20000 rows have already been added\./);
  const { people } = other.prepare("SELECT count(*) AS people FROM waitlist_emails").get() as { people: number };
  other.close();
  expect(people).toBe(20_000);
});
