import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { root } from "#scripts/lib/commands.ts";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { failureOf, TIME_LIMIT } from "#tests/support/fork/failure-of.ts";
import { removals, remove } from "#tests/support/fork/remove-feature.ts";

vi.setConfig({ testTimeout: TIME_LIMIT + 30_000 });

const guide = readFileSync(join(root, "docs", "make-it-yours.md"), "utf8");

describe.each(removals)("the recipe to remove: $feature", (removal) => {
  const files = Object.keys(removal.edits);

  test("docs/make-it-yours.md names every folder and file of it, at most six of them of other features", () => {
    const [section = ""] = guide.split(`### ${removal.feature}\n`).slice(1).join("").split(/^##/m);
    for (const name of [...removal.own, ...files]) expect(section).toContain(`\`${name}\``);
    expect(files.length).toBeLessThanOrEqual(6);
  });

  test("leaves a site that passes npm test, with its checks and its build", () => {
    const { folder, remove: cleanUp } = cleanClone();
    onTestFinished(cleanUp);
    remove(removal, folder);
    // The checks look at what git would commit.
    execFileSync("git", ["init", "--quiet"], { cwd: folder });
    expect(failureOf(folder, "npx", "biome", "check", "--write", ".")).toBe("");
    expect(failureOf(folder, "npm", "test")).toBe("");
  });
});
