import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

/** Linux's in-memory file system. */
const IN_MEMORY = "/dev/shm";

/** Several times the space that a test run needs (bytes). */
const REQUIRED_SPACE = 4 * 1024 ** 3;

/**
 * Puts temporary files of this process and its children into memory, if there is space and `TMPDIR` is not set. Local D1
 * and KV sync every write to disk, and a busy disk would exceed the site's timeouts. Deleted when the process exits.
 */
export function putTempFilesInMemory(): void {
  if (process.env["TMPDIR"] !== undefined || !existsSync(IN_MEMORY)) return;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  if (bavail * bsize < REQUIRED_SPACE) return;
  const folder = mkdtempSync(join(IN_MEMORY, "waitlist-site-"));
  process.env["TMPDIR"] = folder;
  process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
}
