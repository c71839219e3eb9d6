import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "#scripts/lib/commands.ts";

/** Changes a file. Throws if that leaves it as it is. */
export function edit(file: string, change: (text: string) => string): void {
  const before = readFileSync(file, "utf8");
  const after = change(before);
  if (after === before) throw new Error(`${file}: nothing to change`);
  writeFileSync(file, after);
}

/** Inserts lines below each line that contains `marker`. */
export function insertBelow(file: string, marker: string, lines: string): void {
  edit(file, (text) => text.replaceAll(`${marker}\n`, () => `${marker}\n${lines}\n`));
}

/** The code blocks of a recipe in CONTRIBUTING.md, without the indentation of the list. */
export function recipeCode(folder: string, title: string): string[] {
  const text = readFileSync(join(folder, "CONTRIBUTING.md"), "utf8");
  const recipe = text.split(`\n### ${title}\n`)[1]?.split("\n### ")[0] ?? "";
  return Array.from(recipe.matchAll(/^ {3}```\w+\n(.*?)^ {3}```$/gms), ([, code = ""]) => code.replace(/^ {3}/gm, ""));
}

/** Formats a clone, which need not be a git repository. */
export function format(folder: string): void {
  const biome = join(root, "node_modules", ".bin", "biome");
  execFileSync(biome, ["check", "--write", "--vcs-enabled=false", "app", "migrations"], { cwd: folder });
}
