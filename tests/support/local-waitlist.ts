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

/** A local database for a test file, and the owner's commands on it. */
class LocalWaitlist {
  /** Deleted after the file's last test. */
  readonly folder = mkdtempSync(join(tmpdir(), "waitlist-site-owner-"));
  file!: DatabaseSync;
  database!: OpenDatabase;

  async open(): Promise<void> {
    const persistTo = join(this.folder, "state");
    migrate(persistTo);
    this.file = await openWaitlistFile(persistTo);
    this.database = await openDatabase({ persistTo });
  }

  async close(): Promise<void> {
    this.database[Symbol.dispose]();
    this.file.close();
    rmSync(this.folder, { recursive: true, maxRetries: 3 });
  }

  /** Deletes all rows and starts ids at 1 again. */
  clear(): void {
    const tables = this.file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    for (const { name } of tables) {
      if (name !== "d1_migrations" && !String(name).startsWith("_cf_")) this.file.exec(`DELETE FROM "${name}"`);
    }
  }

  /** Runs a command whose output goes to a stream. @returns the exit code */
  runTo(out: Writable, err: Writable, args: string[], hashKey = this.database.settings["HASH_KEY"] ?? null) {
    const settings = { ...this.database.settings, HASH_KEY: hashKey ?? undefined };
    const database = { ...this.database, settings, [Symbol.dispose]: () => {} };
    return runOwner(args, { out, err, open: async () => database });
  }

  /** Runs a command. @param hashKey null: the key is not known */
  async run(args: string[], hashKey?: string | null) {
    const [out, err] = [new PassThrough(), new PassThrough()];
    const code = await this.runTo(out, err, args, hashKey);
    return { code, out: String(out.read() ?? ""), err: String(err.read() ?? "") };
  }
}

/** Opens the database before the test file's first test and deletes it after the last. */
export function localWaitlist(): LocalWaitlist {
  const waitlist = new LocalWaitlist();
  beforeAll(() => waitlist.open());
  afterAll(() => waitlist.close());
  return waitlist;
}
