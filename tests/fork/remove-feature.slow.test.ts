import { execFileSync } from "node:child_process";
import { expect, onTestFinished, test, vi } from "vitest";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { failureOf, TIME_LIMIT } from "#tests/support/fork/failure-of.ts";
import { type Removal, removals, remove } from "#tests/support/fork/remove-feature.ts";

vi.setConfig({ testTimeout: TIME_LIMIT + 60_000 });

/** What the features share, which is left once all are gone. */
const shared: Removal = {
  feature: "What they share",
  own: ["app/server/pictures/{fetch-picture,proxied-picture,remote-error,safe-fetch}*", "app/server/single-flight*"],
  edits: {
    "app/waitlist/campaign-name.ts": ["At most 64 characters", "storable", "Whether visits", "isStorableName", "}"],
  },
};

test.each(removals)("without $feature, the site passes its checks and builds", (removal) => {
  expectChecked(siteWithout(removal));
});

// Of all together: the tests of each alone would take half an hour. Those in browsers run where the features are switched
// off, in the fork.
test("without any of them, the site passes its checks and quick tests, and builds", () => {
  const folder = siteWithout(...removals, shared);
  expectChecked(folder);
  for (const project of ["app", "worker", "built", "scripts"]) {
    expectSuccess(folder, "env", "TESTS=quick", "npx", "vitest", "run", "--project", project);
  }
});

function expectChecked(folder: string): void {
  for (const command of ["check", "build"]) expectSuccess(folder, "npm", "run", command);
}

function expectSuccess(folder: string, command: string, ...args: string[]): void {
  const failure = failureOf(folder, command, ...args);
  expect(failure, failure).toBe("");
}

function siteWithout(...recipes: Removal[]): string {
  const { folder, remove: cleanUp } = cleanClone();
  onTestFinished(cleanUp);
  remove(folder, ...recipes);
  // The checks look at what git would commit.
  execFileSync("git", ["init", "--quiet"], { cwd: folder });
  expectSuccess(folder, "npx", "biome", "check", "--write", ".");
  return folder;
}
