import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { root } from "#scripts/lib/commands.ts";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { removals, remove } from "#tests/support/fork/remove-feature.ts";

// Runs the checks on a copy of the site.
vi.setConfig({ testTimeout: 600_000 });

const guide = readFileSync(join(root, "docs", "make-it-yours.md"), "utf8");

describe.each(removals)("the recipe to remove: $feature", (removal) => {
  const files = Object.keys(removal.edits);

  test("docs/make-it-yours.md names every folder and file of it, at most six of them of other features", () => {
    const [section = ""] = guide.split(`### ${removal.feature}\n`).slice(1).join("").split(/^##/m);
    for (const name of [...removal.own, ...files]) expect(section).toContain(`\`${name}\``);
    expect(files.length).toBeLessThanOrEqual(6);
  });

  test("leaves a site whose checks pass, and which can be built", () => {
    const { folder, remove: cleanUp } = cleanClone();
    onTestFinished(cleanUp);
    remove(removal, folder);
    // The checks look at what git would commit.
    execFileSync("git", ["init", "--quiet"], { cwd: folder });
    const run = (...command: string[]) => {
      const { status, stdout, stderr } = spawnSync("npx", command, { cwd: folder, encoding: "utf8" });
      return `${status} ${status === 0 ? "" : stdout + stderr}`;
    };
    expect(run("biome", "check", "--write", ".")).toBe("0 ");
    for (const script of ["check", "build"]) {
      const { status, stdout, stderr } = spawnSync("npm", ["run", script], { cwd: folder, encoding: "utf8" });
      expect(`${script}: ${status} ${status === 0 ? "" : stdout + stderr}`).toBe(`${script}: 0 `);
    }
  });
});
