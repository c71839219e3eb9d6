import type { SpawnOptions } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { devNull } from "node:os";
import { basename, join } from "node:path";
import { describeProblems, parseConfig, variables } from "#app/server/config.server.ts";
import { mustRun, root } from "#scripts/lib/commands.ts";
import { DEV_VARS } from "#scripts/lib/dev-vars.ts";
import { fingerprint } from "#scripts/lib/fingerprint.ts";
import { pendingMigrations } from "#scripts/lib/local-database.ts";
import { localVars } from "#scripts/lib/local-vars.ts";
import { nearest } from "#scripts/lib/nearest.ts";
import type { WranglerFlags } from "#scripts/lib/wrangler-flags.ts";

/** Keeps Cloudflare's local runtime from looking up this machine's location, for `request.cf`. */
export const WITHOUT_LOCATION = { CLOUDFLARE_CF_FETCH_ENABLED: "false" };

/**
 * Applies pending migrations to the local D1 in a folder.
 *
 * @returns how many
 */
export async function migrate(persistTo: string): Promise<number> {
  const pending = pendingMigrations(persistTo);
  // Wrangler takes seconds to find out the same.
  if (pending === 0) return 0;
  const args = ["d1", "migrations", "apply", "DB", "--local", "--config", "wrangler.toml", "--persist-to", persistTo];
  // CI=1: no prompts.
  await mustRun("Migrating the local database", "wrangler", args, { env: { ...process.env, CI: "1" } });
  return pending;
}

/** What the last build was made from. Every build empties its folder, also one that `react-router build` makes. */
const FINGERPRINT = join(root, "build", "server", "fingerprint");

/**
 * Makes the production build, unless the last one was made from the same files.
 *
 * @returns whether it was made
 */
export async function build(): Promise<boolean> {
  if (existsSync(FINGERPRINT) && readFileSync(FINGERPRINT, "utf8") === fingerprint(root)) return false;
  await rebuild();
  return true;
}

/** Makes the production build in any case. */
export async function rebuild(args: string[] = [], options: SpawnOptions = {}): Promise<void> {
  // An unfinished build must not count, nor one with changes that came while it ran.
  rmSync(FINGERPRINT, { force: true });
  const before = fingerprint(root);
  await mustRun("The build", "react-router", ["build", ...args], options);
  if (args.length === 0) writeFileSync(FINGERPRINT, before);
}

type LocalFlags = Pick<WranglerFlags, "port"> & Partial<Pick<WranglerFlags, "rest">>;

/** The address of the local site, https with Wrangler's flag for it. */
export function localUrl({ port, rest = [] }: LocalFlags): string {
  const isHttps = /(?:^| )--local-protocol[= ]https(?: |$)/.test(rest.join(" "));
  return `${isHttps ? "https" : "http"}://localhost:${port}`;
}

/** The local values, overridden by .dev.vars, and these by `--var` flags. */
export function siteVars(
  flags: LocalFlags & Pick<WranglerFlags, "vars">,
  devVars: Record<string, string>,
): Record<string, string> {
  return { ...localVars(flags.port), SITE_URL: localUrl(flags), ...devVars, ...flags.vars };
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
 * @param withDevVars also copies .dev.vars, which Wrangler looks for beside its configuration
 * @returns path of the configuration for `wrangler dev`
 */
export async function copyBuild(folder: string, withDevVars = false): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  // The build contains a copy of .dev.vars, which may be out of date.
  const filter = (path: string) => !basename(path).startsWith(".dev.vars");
  await cp(join(root, "build"), folder, { recursive: true, filter });
  if (withDevVars && existsSync(DEV_VARS)) await cp(DEV_VARS, join(folder, "server", ".dev.vars"));
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
  // Not as --env-file, where Wrangler would replace $WORD in values.
  const envFile = devVars === null || !existsSync(DEV_VARS) ? ["--env-file", devNull] : [];
  const server = ["--port", String(port), "--persist-to", persistTo, "--show-interactive-dev-session=false"];
  return ["dev", "--config", config, ...server, ...envFile, ...varFlags, ...rest];
}
