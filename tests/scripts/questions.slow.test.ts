import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { ask } from "#tests/support/fork/ask.ts";
import { failureOf } from "#tests/support/fork/failure-of.ts";
import { sampleQuestions } from "#tests/support/sample-questions.ts";

// Builds, and starts the site in a browser.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

describe.each([
  ["no questions", []],
  ["five questions, two of them answered with a text", sampleQuestions],
])("a site with %s", (_, questions) => {
  const clone = cleanClone();
  beforeAll(() => ask(clone.folder, questions));
  afterAll(() => clone.remove());

  const run = (command: string, ...args: string[]) => failureOf(clone.folder, `node_modules/.bin/${command}`, ...args);

  test("is built", async () => {
    expect(await run("node", "scripts/build.ts")).toBe("");
  });

  test("works without JavaScript, on the page of an entry and on the owner's pages", async () => {
    const files = [
      "questions",
      "my-data",
      "owner-list",
      "owner-overview",
      "owner-import",
      "owner-letters.test",
      "pages",
    ];
    const paths = files.map((name) => `tests/built/${name}`);
    const vitest = ["node_modules/.bin/vitest", "run", "--project", "built", ...paths];
    expect(await failureOf(clone.folder, "env", "TESTS=quick", ...vitest)).toBe("");
  });

  test("works in Chromium, with JavaScript and without", async () => {
    expect(await run("playwright", "test", "questions.spec.ts", "--project", "site", "--no-deps")).toBe("");
  });
});
