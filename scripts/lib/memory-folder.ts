import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

/** Linux's file system in memory. */
const IN_MEMORY = "/dev/shm";

/** What tests leave behind until they are over, several times over (bytes). */
const ENOUGH = 4 * 1024 ** 3;

/**
 * Puts temporary files of this process and its children into memory, where there is enough and nobody has chosen a
 * place: local D1 and KV wait for the disk at every write, so that on a busy disk the site's time limits would end.
 * What is there goes with this process.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env["TMPDIR"] !== undefined || !existsSync(IN_MEMORY)) return;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  if (bavail * bsize < ENOUGH) return;
  const folder = mkdtempSync(join(IN_MEMORY, "stallwright-"));
  process.env["TMPDIR"] = folder;
  process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
}
