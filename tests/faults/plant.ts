/*
 * Asks the tests how much they notice: plants one-line faults in the core, one after the other, runs the tests nearest to each
 * and then all quick and slow ones, and lists those that no test notices. In a copy of the project, in no test run:
 * `node tests/faults/plant.ts --seed 7`.
 */
import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { root } from "#scripts/lib/commands.ts";
import { program, wholeNumber } from "#scripts/lib/program.ts";
import { type Fault, findFaults } from "./faults.ts";

/** What a site must not get wrong: the list, its emails, consent, imports, webhooks and the API. */
const CORE = [
  "app/{consent,email,server,waitlist}/**/*.ts",
  "app/features/{api,embed,entries,fair,import,letters,referrals,webhooks}/**/*.ts",
  "app/owner/sign-in/*.{ts,tsx}",
  "worker/**/*.ts",
];

/** The parts of the tests that CI runs for every change. */
const PARTS = ["quick", "slow"] as const;
type Part = (typeof PARTS)[number];

/** Test files that run for a fault before all the others do. */
const NEAREST = 14;

const options = program("node tests/faults/plant.ts", "Lists planted faults that no test notices.")
  .option("--seed <number>", "draws the same faults again", wholeNumber, Math.floor(Math.random() * 1e6))
  .option("--count <number>", "how many faults", wholeNumber, 60)
  .option("--only <numbers>", "plants only these of them, such as 3,17")
  .option("--list", "only list the faults")
  .parse()
  .opts<{ seed: number; count: number; only?: string; list?: true }>();

const sources = globSync(CORE, { cwd: root }).toSorted();
const all = sources.flatMap((file) => findFaults(file, readFileSync(join(root, file), "utf8")));
const drawn = shuffled(all, options.seed).slice(0, options.count);
console.log(`Seed ${options.seed}: ${drawn.length} of ${all.length} faults`);
const only = options.only?.split(",").map(Number);
if (options.list) for (const [index, fault] of drawn.entries()) console.log(`${index + 1}. ${describe(fault)}`);
else plantAll();

function plantAll() {
  const copy = copyProject();
  const importers = findImporters();
  const survivors: string[] = [];
  for (const [index, fault] of drawn.entries()) {
    if (only !== undefined && !only.includes(index + 1)) continue;
    const started = Date.now();
    const file = join(copy, fault.file);
    const source = readFileSync(file, "utf8");
    writeFileSync(file, source.slice(0, fault.start) + fault.replacement + source.slice(fault.end));
    const killer = findKiller(copy, nearestTests(importers, fault.file));
    writeFileSync(file, source);
    if (killer === null) survivors.push(describe(fault));
    const seconds = Math.round((Date.now() - started) / 1_000);
    console.log(`${index + 1}. ${killer === null ? "SURVIVED" : "killed"} ${describe(fault)}`);
    console.log(`   ${killer ?? "no test failed"} (${seconds} s)`);
  }
  rmSync(copy, { recursive: true, force: true });
  const planted = only?.length ?? drawn.length;
  console.log(`\n${planted - survivors.length} of ${planted} killed (seed ${options.seed}). Survivors:`);
  for (const survivor of survivors) console.log(survivor);
}

/** The first test that fails; null if none does. */
function findKiller(copy: string, tests: string[]): string | null {
  if (command(copy, "react-router", ["build"]).status !== 0) return "the build fails";
  const runs: [part: Part, project: string, files: string[]][] = [];
  for (const part of PARTS) {
    const ofPart = tests.filter((file) => file.includes(".slow.") === (part === "slow"));
    for (const project of ["app", "worker"]) {
      const files = ofPart.filter((file) => file.includes(`/${project}/`));
      if (files.length > 0) runs.push([part, project, files]);
    }
  }
  for (const part of PARTS) for (const project of ["built", "worker", "app"]) runs.push([part, project, []]);
  for (const [part, project, files] of runs) {
    const killer = failedTest(copy, part, ["--project", project, ...files]);
    if (killer !== null) return killer;
  }
  return failedInBrowser(copy, "quick") ?? failedInBrowser(copy, "slow");
}

function failedInBrowser(copy: string, part: Part): string | null {
  const { status, stdout } = command(copy, "playwright", ["test", "--project=site", "-x", "--reporter=line"], part);
  return status === 0 ? null : (/^ *1\) .*/m.exec(stdout)?.[0].trim() ?? "browser: the tests did not run to the end");
}

function failedTest(copy: string, part: Part, args: string[]): string | null {
  const { status, stdout } = command(copy, "vitest", ["run", "--bail=1", "--reporter=json", ...args], part);
  if (status === 0) return null;
  const json = stdout.slice(stdout.indexOf('{"num'));
  try {
    const { testResults } = JSON.parse(json) as {
      testResults: { name: string; assertionResults: { status: string; fullName: string }[] }[];
    };
    for (const { name, assertionResults } of testResults) {
      const failed = assertionResults.find((test) => test.status === "failed");
      if (failed !== undefined) return `${relative(copy, name)}: ${failed.fullName}`;
    }
  } catch {
    // Without a report: the module did not load, or the runtime ended.
  }
  return `${args[1]}: the tests did not run to the end`;
}

/** At most 15 minutes: a fault may make a loop endless. */
function command(cwd: string, name: string, args: string[], part: Part = "quick") {
  const env = { ...process.env, TESTS: part, TMPDIR: cwd, NO_COLOR: "1" };
  const { status, stdout } = spawnSync(name, args, {
    cwd,
    env,
    encoding: "utf8",
    timeout: 900_000,
    maxBuffer: 2 ** 28,
  });
  return { status, stdout };
}

function copyProject(): string {
  const copy = mkdtempSync(join(tmpdir(), "faults-"));
  const { stdout } = spawnSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" });
  for (const file of stdout.split("\n").filter(Boolean)) cpSync(join(root, file), join(copy, file));
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}

/** The files that import each file. */
function findImporters(): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const file of globSync("{app,worker,tests}/**/*.{ts,tsx}", { cwd: root }).toSorted()) {
    for (const [, specifier = ""] of readFileSync(join(root, file), "utf8").matchAll(/from "([#.][^"]+)"/g)) {
      const imported = specifier.startsWith("#")
        ? specifier.slice(1)
        : relative(root, resolve(root, dirname(file), specifier));
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  return importers;
}

/** The test files that reach a file by the fewest imports; those in a folder of its name first. */
function nearestTests(importers: Map<string, string[]>, source: string): string[] {
  const found = new Set<string>();
  const seen = new Set([source]);
  const words = source.split(/[/.-]/);
  const likeness = (test: string) => test.split(/[/.-]/).filter((word) => words.includes(word)).length;
  for (let level = [source]; level.length > 0 && found.size < NEAREST; ) {
    const next = level.flatMap((file) => importers.get(file) ?? []).filter((file) => !seen.has(file));
    for (const file of next) seen.add(file);
    const tests = next.filter((file) => /\.test\.tsx?$/.test(file) && !/\.(slow\.matrix|nightly)\./.test(file));
    for (const test of tests.toSorted((a, b) => likeness(b) - likeness(a))) found.add(test);
    level = [...new Set(next)];
  }
  return [...found].slice(0, NEAREST);
}

function describe({ file, line, start, end, replacement }: Fault): string {
  const source = readFileSync(join(root, file), "utf8");
  const text = source.slice(start, end).trim().replace(/\s+/g, " ");
  const lineText = source.split("\n")[line - 1]?.trim() ?? "";
  return `${file}:${line} "${text.slice(0, 60)}" becomes "${replacement.trim()}" in: ${lineText.slice(0, 90)}`;
}

/** In an order that follows from the seed (mulberry32 and Fisher–Yates). */
function shuffled<T>(values: T[], seed: number): T[] {
  const result = [...values];
  let state = seed;
  for (let last = result.length - 1; last > 0; last -= 1) {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    const place = ((bits ^ (bits >>> 14)) >>> 0) % (last + 1);
    [result[last], result[place]] = [result[place] as T, result[last] as T];
  }
  return result;
}
