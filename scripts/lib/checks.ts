import { run } from "#scripts/lib/commands.ts";
import { outdatedConfigDocs } from "#scripts/lib/config-docs.ts";
import { strayColours } from "#scripts/lib/stray-colours.ts";

const steps: [name: string, check: () => Promise<boolean>][] = [
  ["format and lint", () => passes("biome", ["ci", "--error-on-warnings", "."])],
  ["route types", () => passes("react-router", ["typegen"])],
  ["types of the site", () => passes("tsc", ["--noEmit"])],
  ["types of the scripts", () => passes("tsc", ["--noEmit", "-p", "tsconfig.node.json"])],
  ["imports between folders", () => passes("depcruise", ["app", "worker"])],
  ["dead code", () => passes("knip", [])],
  ["configuration docs", configDocsAreCurrent],
  ["colours in one file", coloursAreInTheme],
];

/** Runs every static check and prints a line for each. */
export async function runChecks(): Promise<{ passed: number; failed: string[] }> {
  const count = { passed: 0, failed: [] as string[] };
  for (const [name, check] of steps) {
    const ok = await check();
    console.log(`${ok ? "ok    " : "FAILED"} ${name}`);
    if (ok) count.passed += 1;
    else count.failed.push(name);
  }
  return count;
}

async function passes(command: string, args: string[]): Promise<boolean> {
  return (await run(command, args)) === 0;
}

async function configDocsAreCurrent(): Promise<boolean> {
  const outdated = outdatedConfigDocs();
  if (outdated.length > 0) console.error(`${outdated.join(", ")}: run npm run generate:config-docs`);
  return outdated.length === 0;
}

async function coloursAreInTheme(): Promise<boolean> {
  const found = strayColours();
  if (found.length > 0) console.error(`Colours belong in app/ui/theme.ts:\n${found.join("\n")}`);
  return found.length === 0;
}
