import { cp, rm } from "node:fs/promises";
import { devNull } from "node:os";
import { join } from "node:path";
import { describeProblems, parseConfig, variables } from "#app/server/config.server.ts";
import { mustRun, root } from "#scripts/lib/commands.ts";
import { localVars } from "#scripts/lib/local-vars.ts";
import { nearest } from "#scripts/lib/nearest.ts";
import type { WranglerFlags } from "#scripts/lib/wrangler-flags.ts";

/** Applies pending migrations to the local D1 in a folder. */
export async function migrate(persistTo: string): Promise<void> {
  const args = ["d1", "migrations", "apply", "DB", "--local", "--config", "wrangler.toml", "--persist-to", persistTo];
  // CI=1: no prompts.
  await mustRun("Migrating the local database", "wrangler", args, { env: { ...process.env, CI: "1" } });
}

export async function build(): Promise<void> {
  await mustRun("The build", "react-router", ["build"]);
}

/** The local values, overridden by .dev.vars, and these by `--var` flags. */
export function siteVars(
  { port, vars }: Pick<WranglerFlags, "port" | "vars">,
  devVars: Record<string, string>,
): Record<string, string> {
  return { ...localVars(port), ...devVars, ...vars };
}

/** One line per unknown or malformed variable, or null when all are valid. */
export function describeInvalidVars(vars: Record<string, string>): string | null {
  const unknown = Object.keys(vars).filter((name) => !(name in variables));
  const { problems } = parseConfig(vars);
  const lines = unknown.map(describeUnknownVar);
  if (problems.length > 0) lines.push(describeProblems(problems));
  return lines.length === 0 ? null : lines.join("\n");
}

function describeUnknownVar(name: string): string {
  const known = nearest(name, Object.keys(variables));
  return `${name}: is not a variable of this site. ${known === null ? "README.md lists them." : `Did you mean ${known}?`}`;
}

/**
 * Copies the production build for one site to serve: Vite empties `build/` at the next build.
 *
 * @returns path of the configuration for `wrangler dev`
 */
export async function copyBuild(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await cp(join(root, "build"), folder, { recursive: true });
  return join(folder, "server", "wrangler.json");
}

/**
 * Arguments for `wrangler` to serve a copy of the production build.
 *
 * @param devVars the content of .dev.vars, or null to serve without that file
 */
export function serveArgs(
  config: string,
  flags: WranglerFlags,
  devVars: Record<string, string> | null = null,
): string[] {
  const { port, persistTo, vars, rest } = flags;
  // Wrangler reads .dev.vars itself: its secrets must not appear on a command line. Flags would override them.
  const defaults = Object.entries(localVars(port)).filter(([name]) => devVars === null || !(name in devVars));
  const all = { ...Object.fromEntries(defaults), ...vars };
  const varFlags = Object.entries(all).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
  const noDevVars = devVars === null ? ["--env-file", devNull] : [];
  const fixed = ["dev", "--config", config, "--port", String(port), "--persist-to", persistTo];
  return [...fixed, ...noDevVars, ...varFlags, ...rest];
}
