import { expect, test } from "vitest";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { failureOf, TIME_LIMIT } from "#tests/support/fork/failure-of.ts";
import { removals, remove, shared } from "#tests/support/fork/remove-feature.ts";

/* Each by itself, with all checks: remove-feature.nightly.test.ts. */

test(
  "without any feature that a site can do without, the types agree and the site builds",
  async ({ onTestFinished }) => {
    const { folder, remove: cleanUp } = cleanClone();
    onTestFinished(cleanUp);
    remove(folder, ...removals, shared);
    const typecheck = "react-router typegen && tsc --noEmit && tsc --noEmit -p tsconfig.node.json";
    for (const command of [typecheck, "react-router build"]) {
      expect(await failureOf(folder, "npx", "-c", command)).toBe("");
    }
  },
  TIME_LIMIT,
);
