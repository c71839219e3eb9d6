// Builds, then runs the static checks (npm test only) and the tests of one part, side by side. Ends with the names of
// the tests that failed, and the totals.
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { requireChromium } from "#scripts/lib/chromium.ts";
import { root, run } from "#scripts/lib/commands.ts";
import { build } from "#scripts/lib/local-site.ts";
import { testPart } from "#scripts/lib/test-part.ts";

interface Result {
  name: string;
  status: "passed" | "failed" | "skipped";
}

const part = testPart();
const folder = join(root, "test-results", part ?? "all");
rmSync(folder, { recursive: true, force: true });
await requireChromium();
// Only after Chromium is installed: apt runs as another user, who cannot write to this folder.
putTempFilesInMemory();
// Wrangler starts dozens of times.
process.env["NODE_COMPILE_CACHE"] = join(tmpdir(), "node-compile-cache");
await build();

const results = part === "quick" ? await runQuickTests() : await runSlowTests();
const failed = results.filter(({ status }) => status === "failed");
const count = (wanted: Result["status"]) => results.filter(({ status }) => status === wanted).length;
// Repeated here, because readers look at the end of a long output.
for (const { name } of failed) console.log(`FAILED ${name}`);
if (count("skipped") > 0) console.log(`${count("skipped")} skipped`);
console.log(`${count("passed")} passed, ${failed.length} failed`);
process.exit(failed.length === 0 ? 0 : 1);

/** In three sequences that take about as long as each other. */
async function runQuickTests(): Promise<Result[]> {
  const checkAndOthers = async () => [await runCheck(), await runVitest("built"), await runVitest("scripts")];
  const [others, ...rest] = await Promise.all([checkAndOthers(), runVitest("source"), runPlaywright()]);
  return [...others, ...rest].flat();
}

/** The browser's tests last, because some are sensitive to load. */
async function runSlowTests(): Promise<Result[]> {
  const results = await Promise.all(["scripts", "source", "built"].map(runVitest));
  return [...results, await runPlaywright()].flat();
}

async function runCheck(): Promise<Result[]> {
  const code = await run("npm", ["run", "check"]);
  console.log(`npm run check ${code === 0 ? "passed" : "failed"}`);
  return [{ name: "npm run check", status: code === 0 ? "passed" : "failed" }];
}

/** One project in its own process: in a shared one, those in workerd break each other's modules. */
function runVitest(project: string): Promise<Result[]> {
  const report = join(folder, `vitest-${project}.json`);
  const args = ["run", "--project", project, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  return runTool("vitest", args, report, ({ testResults }: VitestReport) =>
    testResults.flatMap(({ name: file, status, assertionResults }) => {
      // A file that fails to load has no tests.
      if (assertionResults.length === 0) return [{ name: relative(root, file), status }];
      return assertionResults.map((test) => ({
        name: `${relative(root, file)}: ${test.fullName}`,
        status: test.status === "passed" || test.status === "failed" ? test.status : "skipped",
      }));
    }),
  );
}

function runPlaywright(): Promise<Result[]> {
  const report = join(folder, "playwright.json");
  process.env["PLAYWRIGHT_JSON_OUTPUT_NAME"] = report;
  return runTool("playwright", ["test", "--reporter=list,json"], report, ({ suites }: Suite) => specsIn(suites));
}

function specsIn(suites: Suite[] = []): Result[] {
  return suites.flatMap(({ specs, suites }) => [
    ...specs.map(({ file, title, ok, tests }): Result => {
      const isSkipped = tests.every(({ status }) => status === "skipped");
      return { name: `${file}: ${title}`, status: isSkipped ? "skipped" : ok ? "passed" : "failed" };
    }),
    ...specsIn(suites),
  ]);
}

/** Runs a tool and reads its report. A run that fails through an error outside of tests counts as one failure. */
async function runTool<Report>(tool: string, args: string[], report: string, read: (report: Report) => Result[]) {
  const code = await run(tool, args, { stdio: "inherit" });
  const results = existsSync(report) ? read(JSON.parse(readFileSync(report, "utf8"))) : [];
  const isExplained = code === 0 || results.some(({ status }) => status === "failed");
  if (!isExplained) results.push({ name: `${tool} exited with ${code}, see above`, status: "failed" });
  return results;
}

interface VitestReport {
  testResults: {
    name: string;
    status: "passed" | "failed";
    assertionResults: { status: string; fullName: string }[];
  }[];
}

interface Suite {
  suites?: Suite[];
  specs: { title: string; file: string; ok: boolean; tests: { status: string }[] }[];
}

/** Local D1 and KV sync every write to disk, and a busy disk would exceed the site's timeouts. */
function putTempFilesInMemory(): void {
  const memory = "/dev/shm";
  if (process.env["TMPDIR"] !== undefined || !existsSync(memory)) return;
  const { bavail, bsize } = statfsSync(memory);
  // Several times the space that a test run needs.
  if (bavail * bsize < 4 * 1024 ** 3) return;
  const temporary = mkdtempSync(join(memory, "waitlist-site-"));
  process.env["TMPDIR"] = temporary;
  process.on("exit", () => rmSync(temporary, { recursive: true, force: true, maxRetries: 3 }));
}
