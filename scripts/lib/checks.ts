import { run } from "#scripts/lib/commands.ts";
import { outdatedConfigDocs } from "#scripts/lib/config-docs.ts";
import { mapConcurrently } from "#scripts/lib/map-concurrently.ts";
import { strayColours } from "#scripts/lib/stray-colours.ts";

type Step = [name: string, check: () => Promise<boolean>];

const routeTypes: Step = ["route types", () => passes("react-router", ["typegen"])];

/** Several threads repeat work, and the other core has work already. */
const TSC = ["--noEmit", "--singleThreaded"];

/** Need the types of the routes. */
const steps: Step[] = [
  ["types of the site", () => passes("tsc", TSC)],
  ["types of the scripts", () => passes("tsc", [...TSC, "-p", "tsconfig.node.json"])],
  ["format and lint", () => passes("biome", ["ci", "--error-on-warnings", "."])],
  ["imports between folders", () => passes("depcruise", ["app", "worker"])],
  ["dead code", () => passes("knip", [])],
  ["configuration docs", configDocsAreCurrent],
  ["colours in one file", coloursAreInTheme],
];

/** Runs every static check, two at a time, and prints a line for each. */
export async function runChecks(): Promise<{ passed: number; failed: string[] }> {
  const count = { passed: 0, failed: [] as string[] };
  const runStep = async ([name, check]: Step) => {
    const ok = await check();
    console.log(`${ok ? "ok    " : "FAILED"} ${name}`);
    if (ok) count.passed += 1;
    else count.failed.push(name);
  };
  await runStep(routeTypes);
  await mapConcurrently(steps, 2, runStep);
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
