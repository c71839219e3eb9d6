import { mkdtempSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";

/** Ctrl+C, a request to end, and a closed terminal. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Calls a function with a new temporary folder, which only this user can read. Removes the folder when the function ends,
 * when the process exits and on the signals that end it.
 *
 * @throws what the function throws
 */
export async function inPrivateFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "waitlist-site-deploy-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  // Exits as shells report an end by this signal.
  for (const signal of signals) process.once(signal, () => process.exit(128 + constants.signals[signal]));
  return use(folder).finally(remove);
}
