import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { root } from "#scripts/lib/commands.ts";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { removals, remove } from "#tests/support/fork/remove-feature.ts";

/** Which no site can do without, and what two features share: it goes with the last of them. */
const needed = ["entries", "landing", "legal", "log", "overview", "pictures"];

test("docs/make-it-yours.md says how to remove every feature that a site can do without", () => {
  const folders = readdirSync(join(root, "app", "features"));
  expect(removals.map(({ folder }) => folder).toSorted()).toEqual(
    folders.filter((name) => !needed.includes(name)).toSorted(),
  );
});

// What the removals leave is tested in tests/fork.
test.each(removals)("$feature: every file and line that the guide names is there, at most three to edit", (removal) => {
  const clone = cleanClone();
  onTestFinished(clone.remove);
  expect(() => remove(clone.folder, removal)).not.toThrow();
  expect(Object.keys(removal.edits).length).toBeLessThanOrEqual(3);
});
