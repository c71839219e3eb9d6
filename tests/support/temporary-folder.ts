import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A new folder, which is deleted once the test has finished. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "waitlist-site-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, maxRetries: 3 }));
  return folder;
}
