import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { root } from "#scripts/lib/commands.ts";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { removals, remove } from "#tests/support/fork/remove-feature.ts";

const guide = readFileSync(join(root, "docs", "make-it-yours.md"), "utf8");

describe.each(removals)("the recipe to remove: $feature", (removal) => {
  const files = Object.keys(removal.edits);

  test("docs/make-it-yours.md names every folder and file of it, at most six of them of other features", () => {
    const [section = ""] = guide.split(`### ${removal.feature}\n`).slice(1).join("").split(/^##/m);
    for (const name of [...removal.own, ...files]) expect(section).toContain(`\`${name}\``);
    expect(files.length).toBeLessThanOrEqual(6);
    if (removal.first !== undefined) expect(section).toContain(`First remove [${removal.first}](#`);
  });

  // What the recipe leaves is tested in tests/fork.
  test("finds every file and line that it names", () => {
    const clone = cleanClone();
    onTestFinished(clone.remove);
    expect(() => remove(clone.folder, removal)).not.toThrow();
  });
});
