import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "#scripts/lib/commands.ts";

/** Creates a folder like a fresh git clone of the working tree, with the installed packages linked into it. */
export function cleanClone() {
  const folder = mkdtempSync(join(tmpdir(), "waitlist-site-clone-"));
  const list = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  for (const file of list.toString().split("\0").filter(Boolean)) {
    cpSync(join(root, file), join(folder, file), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  // Again while the last process that was started in it writes to it.
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }) };
}
