import { execFileSync } from "node:child_process";
import { expect, type TestContext, test, vi } from "vitest";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { failureOf, TIME_LIMIT } from "#tests/support/fork/failure-of.ts";
import { type Removal, removals, remove } from "#tests/support/fork/remove-feature.ts";

// As many at the same time as there are cores.
vi.setConfig({ testTimeout: TIME_LIMIT + 60_000, maxConcurrency: 2 });

/** What the features share, which is left once all are gone. */
const shared: Removal = {
  feature: "What they share",
  own: [
    "app/server/pictures/{fetch-picture,proxied-picture,remote-error,safe-fetch}*",
    "app/server/single-flight*",
    "app/owner/ui/qr-*",
  ],
  edits: {
    "app/waitlist/campaign-name.ts": ["At most 64 characters", "storable", "Whether visits", "isStorableName", "}"],
  },
};

test.concurrent.for(removals)("without $feature, the site passes its checks and builds", async (removal, context) => {
  await expectChecked(await siteWithout([removal], context));
});

// Of all together: the tests of each alone would take half an hour. The others run where the features are switched off, in
// the fork.
test("without any of them, the site passes its checks, builds, and passes the quick tests of the built Worker", async (context) => {
  const folder = await siteWithout([...removals, shared], context);
  await expectChecked(folder);
  for (const project of ["built", "worker"]) {
    await expectSuccess(folder, "env", "TESTS=quick", "npx", "vitest", "run", "--project", project);
  }
});

async function expectChecked(folder: string): Promise<void> {
  for (const command of ["check", "build"]) await expectSuccess(folder, "npm", "run", command);
}

async function expectSuccess(folder: string, command: string, ...args: string[]): Promise<void> {
  const failure = await failureOf(folder, command, ...args);
  expect(failure, failure).toBe("");
}

async function siteWithout(recipes: Removal[], { onTestFinished }: TestContext): Promise<string> {
  const { folder, remove: cleanUp } = cleanClone();
  onTestFinished(cleanUp);
  remove(folder, ...recipes);
  // The checks look at what git would commit.
  execFileSync("git", ["init", "--quiet"], { cwd: folder });
  await expectSuccess(folder, "npx", "biome", "check", "--write", ".");
  return folder;
}
