import { expect, onTestFinished, test } from "vitest";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { removals, remove } from "#tests/support/fork/remove-feature.ts";

test("docs/make-it-yours.md says how to remove ten features", () => {
  expect(removals.map(({ feature }) => feature)).toEqual([
    "Letters",
    "Follow-up emails",
    "Imports",
    "Visits",
    "API",
    "Tagged links",
    "Webhooks",
    "Blog",
    "Forms on other sites",
    "At the fair",
  ]);
});

// What the recipes leave is tested in tests/fork.
test.each(removals)(
  "$feature: every file and line that the guide names is there, at most six of other features",
  (removal) => {
    const clone = cleanClone();
    onTestFinished(clone.remove);
    expect(() => remove(clone.folder, removal)).not.toThrow();
    expect(Object.keys(removal.edits).length).toBeLessThanOrEqual(6);
  },
);
