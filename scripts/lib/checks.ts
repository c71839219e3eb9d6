import { run } from "#scripts/lib/commands.ts";

const steps: [what: string, command: string, args: string[]][] = [
  ["format and lint", "biome", ["ci", "--error-on-warnings", "."]],
  ["route types", "react-router", ["typegen"]],
  ["types of the site", "tsc", ["--noEmit"]],
  ["types of the scripts", "tsc", ["--noEmit", "-p", "tsconfig.node.json"]],
  ["dead code", "knip", []],
];

/** Runs every static check, prints a line for each, and counts. */
export async function runChecks(): Promise<{ passed: number; failed: string[] }> {
  const count = { passed: 0, failed: [] as string[] };
  for (const [what, command, args] of steps) {
    const ok = (await run(command, args)) === 0;
    console.log(`${ok ? "ok    " : "FAILED"} ${what}`);
    if (ok) count.passed += 1;
    else count.failed.push(what);
  }
  return count;
}
