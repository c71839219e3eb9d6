import { readFileSync } from "node:fs";
import { root, run } from "#scripts/lib/commands.ts";

export interface TestCount {
  passed: number;
  failed: number;
  skipped: number;
}

/** Runs some of Vitest's projects in a process of their own. */
export async function runVitest(name: string, projects: string[]): Promise<TestCount> {
  const report = `test-results/vitest-${name}.json`;
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const args = ["run", ...projects.flatMap((project) => ["--project", project]), ...reporters];
  const code = await run("vitest", args, { stdio: "inherit" });
  return countRun(code, report, (json: VitestReport) => ({
    passed: json.numPassedTests,
    failed: json.numFailedTests,
    skipped: json.numPendingTests + json.numTodoTests,
  }));
}

/** Runs the browser tests in a given Chromium. */
export async function runPlaywright(chromium: string): Promise<TestCount> {
  const report = "test-results/playwright.json";
  const env = { ...process.env, CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report };
  const code = await run("playwright", ["test", "--reporter=list,json"], { stdio: "inherit", env });
  return countRun(code, report, ({ stats }: PlaywrightReport) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
  }));
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}

/** A run that failed without a failed test, such as a file that does not load, still counts as one failure. */
function countRun<Report>(code: number, report: string, read: (json: Report) => TestCount): TestCount {
  let count: TestCount = { passed: 0, failed: 0, skipped: 0 };
  try {
    count = read(JSON.parse(readFileSync(`${root}/${report}`, "utf8")));
  } catch (error) {
    console.error(`${report}: ${error instanceof Error ? error.message : error}`);
  }
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
}
