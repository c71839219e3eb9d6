import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** Everything that the build reads, besides the packages: those are what package-lock.json names. */
const FOLDERS = ["app", "worker", "public"];
const FILES = [
  "package.json",
  "package-lock.json",
  "wrangler.toml",
  "tsconfig.json",
  "react-router.config.ts",
  "vite.config.ts",
  "scripts/lib/inline-script.ts",
  "scripts/lib/local-vars.ts",
  "scripts/lib/oldest-browsers.ts",
  "scripts/lib/palette-plugin.ts",
  "scripts/lib/without-display-names.ts",
  "scripts/lib/without-preload-helper.ts",
];

/** A hash of the names and contents of all files that the build in a project's folder depends on. */
export function fingerprint(folder: string): string {
  const hash = createHash("sha256");
  for (const path of [...FILES, ...FOLDERS.flatMap((name) => filesIn(folder, name)), ...envFiles(folder)]) {
    const content = readFileSync(join(folder, path));
    hash.update(`${path}\n${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}

function filesIn(folder: string, name: string): string[] {
  const entries = readdirSync(join(folder, name), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** Vite reads them, if there are any. */
function envFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /^\.env(\.|$)/.test(name))
    .sort();
}
