import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { runChecks } from "#scripts/lib/checks.ts";
import { requireChromium } from "#scripts/lib/chromium.ts";
import { root, run } from "#scripts/lib/commands.ts";
import { build } from "#scripts/lib/local-site.ts";
import { putTempFilesInMemory } from "#scripts/lib/memory-folder.ts";
import type { TestPart } from "#scripts/lib/test-part.ts";

interface TestCount {
  passed: number;
  /** Names, each with the first lines of its error. */
  failed: string[];
  skipped: number;
  /** Why tests were skipped, as far as they say. */
  reasons: string[];
}

/** Builds, runs the tests of one part, prints the failures and the totals, and exits: with 1 if anything failed. */
export async function runTests(part: TestPart): Promise<never> {
  const folder = `test-results/${part}`;
  rmSync(`${root}/${folder}`, { recursive: true, force: true });
  process.env["TESTS"] = part;
  await requireChromium();
  // Only after Chromium is installed: apt runs as another user, who cannot write to this folder.
  putTempFilesInMemory();
  // Wrangler starts dozens of times.
  process.env["NODE_COMPILE_CACHE"] = join(tmpdir(), "node-compile-cache");
  await build();
  const counts = await (part === "quick" ? runQuickTests(folder) : runSlowTests(folder));

  const sum = (key: "passed" | "skipped") => counts.reduce((total, count) => total + count[key], 0);
  const failed = counts.flatMap((count) => count.failed);
  // Repeated here, because readers look at the end of a long output.
  for (const failure of failed) console.log(`FAILED ${failure}`);
  for (const reason of new Set(counts.flatMap(({ reasons }) => reasons))) console.log(`SKIPPED ${reason}`);
  if (sum("skipped") > 0) console.log(`${sum("skipped")} skipped`);
  console.log(`${sum("passed")} passed, ${failed.length} failed`);
  process.exit(failed.length === 0 ? 0 : 1);
}

/** Runs the checks and tests in three sequences that take about as long as each other. */
async function runQuickTests(folder: string): Promise<TestCount[]> {
  const checksAndOthers = async () => [
    { ...(await runChecks()), skipped: 0, reasons: [] },
    await runVitest("built", folder),
    await runVitest("scripts", folder),
  ];
  const [others, ...counts] = await Promise.all([
    checksAndOthers(),
    runVitest("source", folder),
    runPlaywright(folder),
  ]);
  return [...others, ...counts];
}

/** Runs Vitest's projects side by side, then the browser's tests, some of which are sensitive to load. */
async function runSlowTests(folder: string): Promise<TestCount[]> {
  const counts = await Promise.all(["scripts", "source", "built"].map((project) => runVitest(project, folder)));
  return [...counts, await runPlaywright(folder)];
}

/** Runs one of Vitest's projects in its own process: in a shared one, those in workerd break each other's modules. */
async function runVitest(project: string, folder: string): Promise<TestCount> {
  const report = `${folder}/vitest-${project}.json`;
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const code = await run("vitest", ["run", "--project", project, ...reporters], { stdio: "inherit" });
  return countRun(code, report, (json: VitestReport) => ({
    passed: json.numPassedTests,
    failed: json.testResults.flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === "failed");
      // A file that fails to load has no tests, only a message.
      if (failed.length === 0 && message) return [describe(relative(root, name), message)];
      return failed.map((test) =>
        describe(`${relative(root, name)}: ${test.fullName}`, test.failureMessages?.[0] ?? ""),
      );
    }),
    skipped: json.numPendingTests + json.numTodoTests,
    reasons: [],
  }));
}

async function runPlaywright(folder: string): Promise<TestCount> {
  const report = `${folder}/playwright.json`;
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: report };
  const code = await run("playwright", ["test", "--reporter=list,json"], { stdio: "inherit", env });
  return countRun(code, report, ({ stats, suites, errors }: PlaywrightReport) => ({
    passed: stats.expected,
    failed: [
      ...errors.map(({ message }) => describe("playwright", message)),
      ...specsIn(suites)
        .filter(({ ok }) => !ok)
        .map(({ file, title, tests }) => {
          const error = tests.flatMap(({ results }) => results).find((result) => result.error)?.error?.message;
          return describe(`${file}: ${title}`, error ?? "");
        }),
    ],
    skipped: stats.skipped,
    reasons: specsIn(suites).flatMap(({ tests }) =>
      tests.flatMap(({ annotations }) =>
        annotations.flatMap(({ type, description }) => (type === "skip" && description ? [description] : [])),
      ),
    ),
  }));
}

function specsIn(suites: Suite[]): Spec[] {
  return suites.flatMap((suite) => [...suite.specs, ...specsIn(suite.suites ?? [])]);
}

function describe(name: string, message: string): string {
  const lines = stripVTControlCharacters(message).trim().split("\n");
  const own = lines.filter((line) => !line.includes("node_modules")).slice(0, 12);
  return [name, ...own.map((line) => `    ${line}`)].join("\n");
}

interface VitestReport {
  numPassedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    message?: string;
    assertionResults: { status: string; fullName: string; failureMessages?: string[] }[];
  }[];
}

interface PlaywrightReport {
  stats: { expected: number; skipped: number };
  suites: Suite[];
  errors: { message: string }[];
}

interface Suite {
  suites?: Suite[];
  specs: Spec[];
}

interface Spec {
  title: string;
  file: string;
  ok: boolean;
  tests: {
    annotations: { type: string; description?: string }[];
    results: { error?: { message: string } }[];
  }[];
}

/** A run that fails through an error outside of tests counts as one failure. */
function countRun<Report>(code: number, report: string, read: (json: Report) => TestCount): TestCount {
  let count: TestCount = { passed: 0, failed: [], skipped: 0, reasons: [] };
  try {
    count = read(JSON.parse(readFileSync(`${root}/${report}`, "utf8")));
  } catch (error) {
    console.error(`${report}: ${error instanceof Error ? error.message : error}`);
  }
  if (code !== 0 && count.failed.length === 0) count.failed.push(`${report}: the run exited with ${code}, see above`);
  return count;
}
