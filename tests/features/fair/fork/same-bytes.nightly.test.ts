import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { fair } from "#app/switches.ts";
import { root } from "#scripts/lib/commands.ts";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { failureOf, TIME_LIMIT } from "#tests/support/fork/failure-of.ts";
import { renderAll } from "#tests/support/fork/render-all.ts";
import { switchOff } from "#tests/support/fork/tasks.ts";

vi.setConfig({ testTimeout: TIME_LIMIT });

test.skipIf(!fair)("without the form at fairs, the public site differs only in its privacy policy", async () => {
  const { folder, remove } = cleanClone();
  try {
    switchOff(folder, ["fair"]);
    expect(await failureOf(folder, "npm", "run", "build")).toBe("");
    expect(differences(renderAll(folder), renderAll(root))).toEqual(["/privacy"]);
    // The script of all policies names what is new in each; the manifest has a version.
    const files = ["fair.css", "manifest.js", "policy-page.js", "privacy.js"];
    expect(differences(clientFiles(folder), clientFiles(root))).toEqual(files);
  } finally {
    remove();
  }
});

/** The ports of the sites, nonces, the tokens of personal links, and the hashes in the names of files. */
const random = /localhost(?::|%3A)\d+|[\w+/]{22}==|1-[a-z0-9]+\.[\w-]{43}|-[\w-]{8}(?=\.(?:js|css)\b)/g;

/** @returns the names of what is not the same in both, apart from what is random */
function differences(before: Record<string, string>, after: Record<string, string>): string[] {
  const fixed = (text = "") => text.replaceAll(random, "");
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => fixed(before[name]) !== fixed(after[name])).toSorted();
}

/** What a browser can download of a built site, by name without hash. Files with the same name are joined. */
function clientFiles(folder: string): Record<string, string> {
  const files: Record<string, string[]> = {};
  for (const path of globSync("build/client/**/*.{js,css}", { cwd: folder })) {
    const name = path.replace(/^.*\//, "").replace(/-[\w-]{8}(?=\.\w+$)/, "");
    files[name] = [...(files[name] ?? []), readFileSync(join(folder, path), "utf8")];
  }
  return Object.fromEntries(
    Object.entries(files).map(([name, texts]) => [name, texts.toSorted((a, b) => a.length - b.length).join("")]),
  );
}
