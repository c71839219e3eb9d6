import { type ChildProcess, type ForkOptions, fork, type SpawnOptions } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { mustRun, root } from "#scripts/lib/commands.ts";
import { fingerprint } from "#scripts/lib/fingerprint.ts";

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
export async function rebuild(options: SpawnOptions = {}): Promise<void> {
  // An unfinished build must not count, nor one with changes that came while it ran.
  rmSync(FINGERPRINT, { force: true });
  const before = fingerprint(root);
  await mustRun("The build", "react-router", ["build"], options);
  writeFileSync(FINGERPRINT, before);
}

/**
 * Copies the production build for one site to serve: Vite empties `build/` at the next build.
 *
 * @param vars the site's variables
 * @returns path of the configuration for Wrangler
 */
export async function copyBuild(folder: string, vars: Record<string, string>): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  // The build contains a copy of .dev.vars, which may be out of date, and would override the variables.
  const filter = (path: string) => !basename(path).startsWith(".dev.vars");
  await cp(join(root, "build"), folder, { recursive: true, filter });
  const config = join(folder, "server", "wrangler.json");
  // The variables may hold a provider's keys.
  chmodSync(config, 0o600);
  writeFileSync(config, JSON.stringify({ ...JSON.parse(readFileSync(config, "utf8")), vars }));
  return config;
}

/** Keeps Cloudflare's local runtime from looking up this machine's location, for `request.cf`. */
export const WITHOUT_LOCATION = { CLOUDFLARE_CF_FETCH_ENABLED: "false" };

interface Served {
  /** Path of the configuration, see {@link copyBuild}. */
  config: string;
  port: number;
  /** Serves https, with Wrangler's self-signed certificate unless `args` name another one. */
  https: boolean;
  /** Folder of the local D1 and KV. */
  persistTo: string;
  /** More arguments for `wrangler dev`. */
  args: string[];
}

/** Starts `wrangler dev`, which sends a message when it accepts requests. */
export function serve({ config, port, https, persistTo, args }: Served, options: ForkOptions): ChildProcess {
  const own = ["--config", config, "--port", String(port), "--persist-to", persistTo];
  // Without the second, the Worker would take all requests for http.
  if (https) own.push("--local-protocol", "https", "--upstream-protocol", "https");
  const env = { ...WITHOUT_LOCATION, ...process.env, ...options.env };
  // Not the launcher in node_modules/.bin, which does not forward signals.
  const program = fileURLToPath(import.meta.resolve("wrangler"));
  return fork(program, ["dev", ...own, "--show-interactive-dev-session=false", ...args], {
    ...options,
    cwd: root,
    env,
  });
}
