import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { describeProblems, parseConfig } from "#app/server/config.server.ts";
import { mustRun, root } from "#scripts/lib/commands.ts";
import { localVars } from "#scripts/lib/local-vars.ts";
import type { WranglerFlags } from "#scripts/lib/wrangler-flags.ts";

/** Brings the embedded D1 in a folder up to the newest migration. */
export async function migrate(persistTo: string): Promise<void> {
  const args = ["d1", "migrations", "apply", "DB", "--local", "--config", "wrangler.toml", "--persist-to", persistTo];
  // CI=1: apply asks nothing.
  await mustRun("Migrating the local database", "wrangler", args, { env: { ...process.env, CI: "1" } });
}

export async function build(): Promise<void> {
  await mustRun("The build", "react-router", ["build"]);
}

/** The local values, with those of `--var` in their place. */
export function siteVars({ port, vars }: Pick<WranglerFlags, "port" | "vars">): Record<string, string> {
  return { ...localVars(port), ...vars };
}

/** Sentences about malformed variables, or null when all are fine. */
export function refusal(vars: Record<string, string>): string | null {
  const { problems } = parseConfig(vars);
  return problems.length === 0 ? null : describeProblems(problems);
}

/**
 * Copies the production build to where one site serves it from: Vite empties `build/` before it writes, and a site that
 * served from there would lose its files to the next build.
 *
 * @returns the configuration for `wrangler dev`
 */
export async function copyBuild(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await cp(join(root, "build"), folder, { recursive: true });
  return join(folder, "server", "wrangler.json");
}

/** Arguments for `wrangler` that serve a copy of the production build. */
export function serveArgs(config: string, flags: WranglerFlags): string[] {
  const vars = Object.entries(siteVars(flags)).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
  const fixed = ["dev", "--config", config, "--port", String(flags.port), "--persist-to", flags.persistTo];
  return [...fixed, ...vars, ...flags.rest];
}
