import { createHash } from "node:crypto";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * What the build reads, besides the packages: those are what package-lock.json names. `**` and `*` leave out names that
 * begin with a dot.
 */
const SOURCES = ["{app,worker,public,scripts/lib,vite}/**/{*,.*,.*/**}", "*.{json,toml,ts}", ".env*"];

/** A hash of the names and contents of all files that the build in a project's folder depends on. */
export function fingerprint(folder: string): string {
  const hash = createHash("sha256");
  const paths = globSync(SOURCES.map((pattern) => join(folder, pattern)));
  for (const path of paths.filter((path) => statSync(path).isFile()).sort()) {
    const content = readFileSync(path);
    hash.update(`${path}\n${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}
