import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Referenced for as long as the process runs: closing it would end the lock. */
let lock: DatabaseSync | null = null;

/**
 * Reserves a local database until this process ends, however it ends: two servers on one database would lose requests.
 *
 * The lock is a SQLite transaction on a file of its own, because Node has no file locks. The database itself stays open
 * to others, so `npm run owner` works beside a running site.
 *
 * @param user what uses the database, for the message in another process
 * @throws {Error} with a message for the terminal when another process has reserved it
 */
export function lockDatabase(persistTo: string, user: string): void {
  if (lock !== null) throw new Error("A process can reserve only one database.");
  mkdirSync(persistTo, { recursive: true });
  const userFile = join(persistTo, "in-use-by");
  const file = new DatabaseSync(join(persistTo, "in-use.sqlite"), { timeout: 0 });
  try {
    file.exec("BEGIN EXCLUSIVE");
  } catch {
    file.close();
    const other = existsSync(userFile) ? readFileSync(userFile, "utf8") : "Another program";
    throw new Error(
      `${other} already uses the database in ${persistTo}.\nStop it first, or choose another folder with --persist-to DIR.`,
    );
  }
  writeFileSync(userFile, user);
  lock = file;
}
