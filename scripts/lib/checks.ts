import { run } from "#scripts/lib/commands.ts";

const steps: [what: string, command: string, args: string[]][] = [
  ["format and lint", "biome", ["ci", "--error-on-warnings", "."]],
  ["route types", "react-router", ["typegen"]],
  ["types of the site", "tsc", ["--noEmit"]],
  ["types of the scripts", "tsc", ["--noEmit", "-p", "tsconfig.node.json"]],
  ["dead code", "knip", []],
];

/** Runs every static check, prints a line for each, and counts. */
export async function runChecks(): Promise<{ passed: number; failed: number }> {
  const count = { passed: 0, failed: 0 };
  for (const [what, command, args] of steps) {
    const ok = (await run(command, args)) === 0;
    console.log(`${ok ? "ok    " : "FAILED"} ${what}`);
    count[ok ? "passed" : "failed"] += 1;
  }
  return count;
}
