import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { edit, format } from "#tests/support/fork/edit.ts";
import { failureOf } from "#tests/support/fork/failure-of.ts";
import { ask, switchOff } from "#tests/support/fork/tasks.ts";
import {
  browserSwitches,
  missingInBuild,
  missingInWorker,
  switchNames,
  unreferenced,
  workerSwitches,
} from "#tests/support/fork/traces.ts";
import { sampleQuestions } from "#tests/support/sample-questions.ts";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 });

/** Of a site with other questions. */
const asked = ["questions", "my-data.", "list.", "overview.", "import.", "owner-letters.", "pages"];

function noLaunchDate(folder: string): void {
  edit(join(folder, "app", "site.ts"), (text) => text.replace(/(launchDate.*) = ".*"/, "$1 = null"));
}

/** Copies of the site: how each is changed, what of it browsers no longer get, and the tests that it must pass. */
const variants: { name: string; prepare(folder: string): void; gone: string[]; built: string[]; pages?: string }[] = [
  {
    name: "without any part or feature, and without a launch date",
    prepare(folder) {
      switchOff(folder, switchNames);
      noLaunchDate(folder);
    },
    gone: browserSwitches,
    built: ["switched-off"],
  },
  { name: "without a launch date", prepare: noLaunchDate, gone: [], built: ["launch-sentence"] },
  {
    name: "without questions",
    prepare: (folder) => ask(folder, []),
    gone: [],
    built: asked,
    pages: "questions.spec.ts",
  },
  {
    name: "with five questions, two of them answered with a text",
    prepare: (folder) => ask(folder, sampleQuestions),
    gone: [],
    built: asked,
    pages: "questions.spec.ts",
  },
];

describe.each(variants)("a site $name", ({ prepare, gone, built, pages }) => {
  const { folder, remove } = cleanClone();
  beforeAll(() => {
    prepare(folder);
    format(folder);
    // The checks look at what git would commit.
    execFileSync("git", ["init", "--quiet"], { cwd: folder });
  });
  afterAll(remove);

  test("passes the checks, and can be built; browsers download nothing of what is off, and all of the rest", async () => {
    expect(await failureOf(folder, "npm", "run", "check")).toBe("");
    expect(await failureOf(folder, "npm", "run", "build")).toBe("");
    expect(missingInBuild(folder)).toEqual(gone);
    // Either all are off or none.
    expect(missingInWorker(folder)).toEqual(gone.length === 0 ? [] : workerSwitches);
    expect(unreferenced(folder)).toEqual([]);
  });

  test("works without JavaScript", async () => {
    const files = built.map((name) => `built/${name}`);
    expect(await failureOf(folder, "env", "-u", "TESTS", "npx", "vitest", "run", "--project", "built", ...files)).toBe(
      "",
    );
  });

  test.skipIf(pages === undefined)("works in Chromium, with JavaScript and without", async () => {
    const playwright = ["playwright", "test", pages ?? "", "--project", "site", "--no-deps"];
    expect(await failureOf(folder, "npx", ...playwright)).toBe("");
  });
});
