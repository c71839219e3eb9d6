// Builds, then runs the static checks (npm test only) and the tests of one part, side by side. Ends with the names of
// the tests that failed, and the totals.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { requireChromium } from "#scripts/lib/chromium.ts";
import { root, run } from "#scripts/lib/commands.ts";
import { build } from "#scripts/lib/local-site.ts";
import type { Result } from "#scripts/lib/results-reporter.ts";
import { testPart } from "#scripts/lib/test-part.ts";

const REPORTER = "./scripts/lib/results-reporter.ts";

const part = testPart() ?? "slow";
const started = Date.now();
/** How long each run took (seconds). */
const times: Record<string, number> = {};
// One seed for all runs, so that it repeats those of a failed run.
process.env["FAST_CHECK_SEED"] ??= String(Math.floor(Math.random() * 2 ** 31));
console.log(`FAST_CHECK_SEED=${process.env["FAST_CHECK_SEED"]}`);
const folder = join(root, "test-results", part);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await requireChromium();
// Only after Chromium is installed: apt runs as another user, who cannot write to this folder.
putTempFilesInMemory();
// Wrangler starts dozens of times.
process.env["NODE_COMPILE_CACHE"] = join(tmpdir(), "node-compile-cache");
await build();

const vitest = (project: string) => () => runVitest(project);
// Sequences that run side by side and take about as long as each other.
const quick = [[runCheck, vitest("built"), vitest("worker")], [vitest("app"), vitest("scripts")], [runPlaywright]];
const slow = [
  [vitest("scripts"), vitest("built"), vitest("worker"), vitest("fork")],
  [runPlaywright, vitest("app")],
];
// One after the other, because some of these tests measure time.
const nightly = [[runPlaywright, ...["fork", "scripts", "app", "worker", "built"].map(vitest)]];
const results = (await Promise.all({ quick, slow, nightly }[part].map(inOrder))).flat();

const failed = results.filter(({ status }) => status === "failed");
const skipped = results.filter(({ status }) => status === "skipped");
// Repeated here, because readers look at the end of a long output.
let failures = "";
for (const { name, reason = "" } of failed) {
  const lines = stripVTControlCharacters(reason).split("\n").filter(Boolean);
  failures += `${[`FAILED ${name}`, ...lines].join("\n  ")}\n`;
}
process.stdout.write(failures);
writeFileSync(join(folder, "failures.txt"), failures);
if (skipped.length > 0) console.log(`${skipped.length} skipped`);
for (const [name, seconds] of Object.entries(times)) console.log(`${String(seconds).padStart(5)} s  ${name}`);
console.log(`${String(secondsSince(started)).padStart(5)} s  in all, on ${availableParallelism()} cores`);
console.log(`${results.length - failed.length - skipped.length} passed, ${failed.length} failed`);
process.exit(failed.length === 0 ? 0 : 1);

async function inOrder(runs: (() => Promise<Result[]>)[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const start of runs) results.push(...(await start()));
  return results;
}

/** Seconds since a time, in milliseconds since 1970. */
function secondsSince(since: number): number {
  return Math.round((Date.now() - since) / 1_000);
}

async function runCheck(): Promise<Result[]> {
  const since = Date.now();
  const status = (await run("npm", ["run", "check"])) === 0 ? "passed" : "failed";
  times["npm run check"] = secondsSince(since);
  console.log(`npm run check ${status}`);
  return [{ name: "npm run check", status }];
}

/** One project in its own process: in a shared one, those in workerd break each other's modules. */
function runVitest(project: string): Promise<Result[]> {
  return runTool(project, "vitest", ["run", "--project", project, "--reporter=default", `--reporter=${REPORTER}`]);
}

function runPlaywright(): Promise<Result[]> {
  return runTool("browser", "playwright", ["test", `--reporter=list,${REPORTER}`]);
}

/** Runs a tool. If it fails without a failed test, that counts as one failure. */
async function runTool(project: string, tool: string, args: string[]): Promise<Result[]> {
  const file = join(folder, `${tool}-${project}.json`);
  const since = Date.now();
  const code = await run(tool, args, { stdio: "inherit", env: { ...process.env, RESULTS: file } });
  times[`${tool}, ${project}`] = secondsSince(since);
  const results: Result[] = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
  if (code === 0 || results.some(({ status }) => status === "failed")) return results;
  const name = `${tool} ${args.join(" ")}: exited with ${code} although no test failed, see above`;
  return [...results, { name, status: "failed" }];
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
