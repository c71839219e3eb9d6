import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { fair } from "#app/switches.ts";
import { root } from "#scripts/lib/commands.ts";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { failureOf, TIME_LIMIT } from "#tests/support/fork/failure-of.ts";
import { renderAll } from "#tests/support/fork/render-all.ts";
import { switchOff } from "#tests/support/fork/switch-off.ts";

vi.setConfig({ testTimeout: TIME_LIMIT });

test.skipIf(!fair)("without the form at fairs, the public site differs only in its privacy policy", async () => {
  const { folder, remove } = cleanClone();
  try {
    switchOff(folder, ["fair"]);
    expect(await failureOf(folder, "npm", "run", "build")).toBe("");
    expect(differences(renderAll(folder), renderAll(root))).toEqual(["/privacy"]);
    // The script of all policies names what is new in each; the manifest has a version.
    expect(differences(clientFiles(folder), clientFiles(root))).toEqual([
      "fair.css",
      "manifest.js",
      "policy-page.js",
      "privacy.js",
    ]);
  } finally {
    remove();
  }
});

/** The ports of the sites, nonces, the tokens of personal links, and the hashes in the names of files. */
const random = [/localhost(?::|%3A)\d+/g, /[\w+/]{22}==/g, /1-[a-z0-9]+\.[\w-]{43}/g, /-[\w-]{8}(?=\.(?:js|css)\b)/g];

/** @returns the names of what is not the same in both, apart from what is random */
function differences(before: Record<string, string>, after: Record<string, string>): string[] {
  const fixed = (text = "") => random.reduce((rest, part) => rest.replaceAll(part, ""), text);
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => fixed(before[name]) !== fixed(after[name])).toSorted();
}

/** What a browser can download of a built site, by name without hash. Files with the same name are joined. */
function clientFiles(folder: string): Record<string, string> {
  const files: Record<string, string> = {};
  const base = join(folder, "build", "client");
  const contents = globSync("**/*.{js,css}", { cwd: base }).map((path) => ({
    name: path.replace(/^.*\//, "").replace(/-[\w-]{8}(?=\.\w+$)/, ""),
    content: readFileSync(join(base, path), "utf8"),
  }));
  for (const { name, content } of contents.toSorted((one, other) => one.content.length - other.content.length))
    files[name] = (files[name] ?? "") + content;
  return files;
}
