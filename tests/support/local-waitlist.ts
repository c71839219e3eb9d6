import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { PassThrough, type Writable } from "node:stream";
import { afterAll, beforeAll } from "vitest";
import { migrate } from "#scripts/lib/local-database.ts";
import { type OpenDatabase, openDatabase } from "#scripts/owner/database.ts";
import { runOwner } from "#scripts/owner/run.ts";
import { openWaitlistFile } from "#tests/support/waitlist-file.ts";

/** Opens a local database before the test file's first test, and deletes it after the last. */
export function localWaitlist() {
  const folder = mkdtempSync(join(tmpdir(), "waitlist-site-owner-"));
  const persistTo = join(folder, "state");
  let file: DatabaseSync;
  let database: OpenDatabase;

  beforeAll(async () => {
    migrate(persistTo);
    file = await openWaitlistFile(persistTo);
    database = await openDatabase({ persistTo });
  });
  afterAll(() => {
    database[Symbol.dispose]();
    file.close();
    rmSync(folder, { recursive: true, maxRetries: 3 });
  });

  /** Runs a command whose output goes to a stream. @returns the exit code */
  function runTo(out: Writable, err: Writable, args: string[], hashKey = database.settings["HASH_KEY"] ?? null) {
    const settings = { ...database.settings, HASH_KEY: hashKey ?? undefined };
    const open = async () => ({ ...database, settings, [Symbol.dispose]: () => {} });
    return runOwner(args, { out, err, open });
  }

  return {
    folder,
    get file() {
      return file;
    },
    /** Deletes all rows and starts ids at 1 again. */
    clear(): void {
      for (const { name } of file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()) {
        if (name !== "d1_migrations" && !String(name).startsWith("_cf_")) file.exec(`DELETE FROM "${name}"`);
      }
    },
    runTo,
    /** Runs a command. @param hashKey null: the key is not known */
    async run(args: string[], hashKey?: string | null) {
      const [out, err] = [new PassThrough(), new PassThrough()];
      const code = await runTo(out, err, args, hashKey);
      return { code, out: String(out.read() ?? ""), err: String(err.read() ?? "") };
    },
  };
}
