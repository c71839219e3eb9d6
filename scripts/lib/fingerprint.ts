import { createHash } from "node:crypto";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What the build reads, besides the packages: those are what package-lock.json names. */
const FOLDERS = ["app", "worker", "public", "scripts/lib", "vite"];
const FILES = ["*.{json,toml,ts}", ".env*"];

/** A hash of the names and contents of all files that the build in a project's folder depends on. */
export function fingerprint(folder: string): string {
  const hash = createHash("sha256");
  const paths = [
    ...FOLDERS.flatMap((name) => filesIn(join(folder, name))),
    ...globSync(FILES.map((name) => join(folder, name))),
  ];
  for (const path of paths.sort()) {
    const content = readFileSync(path);
    hash.update(`${path}\n${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
