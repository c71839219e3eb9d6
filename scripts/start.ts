import { spawn } from "node:child_process";
import { join } from "node:path";
import "#scripts/lib/end-with-parent.mjs";
import { root } from "#scripts/lib/commands.ts";
import { lockDatabase } from "#scripts/lib/database-lock.ts";
import { readDevVars } from "#scripts/lib/dev-vars.ts";
import { startLocalCron } from "#scripts/lib/local-cron.ts";
import {
  build,
  copyBuild,
  describeInvalidVars,
  localUrl,
  migrate,
  serveArgs,
  siteVars,
  WITHOUT_LOCATION,
} from "#scripts/lib/local-site.ts";
import { LOCAL_OWNER } from "#scripts/lib/local-vars.ts";
import { printHelpIfAsked } from "#scripts/lib/options.ts";
import { isPortTaken } from "#scripts/lib/ports.ts";
import { followOutput } from "#scripts/lib/server-output.ts";
import { printAddresses, printStep } from "#scripts/lib/steps.ts";
import { wranglerProgram } from "#scripts/lib/wrangler.ts";
import { readWranglerFlags, startUsage } from "#scripts/lib/wrangler-flags.ts";

printHelpIfAsked(startUsage);
const devVars = readDevVars();
const flags = await readFlags().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(2);
});
const origin = localUrl(flags);

// scripts/run.mjs prints the line if it has installed something.
if (process.env["INSTALLED"] !== "now") await printStep("Install", async () => "up to date");
await printStep("Build", async () => ((await build()) ? null : "up to date"));
await printStep("Migrate", async () => ((await migrate(flags.persistTo)) > 0 ? null : "up to date"));
await serve();

/** @throws {Error} with a message for the terminal, before anything is changed */
async function readFlags() {
  const parsed = readWranglerFlags(process.argv.slice(2));
  // Only if neither the command line nor .dev.vars says something else, be it nothing.
  if (!("OWNER_EMAIL" in devVars)) parsed.vars = { OWNER_EMAIL: LOCAL_OWNER, ...parsed.vars };
  const problem = describeInvalidVars(siteVars(parsed, devVars));
  if (problem !== null) throw new Error(problem);
  if (await isPortTaken(parsed.port)) {
    throw new Error(`Port ${parsed.port} is in use. Choose another: npm start -- --port ${parsed.port + 1}`);
  }
  lockDatabase(parsed.persistTo, localUrl(parsed));
  return parsed;
}

/** A link that signs the owner in, or null if the site has no owner. */
async function createLink(): Promise<string | null> {
  const { createLocalSignInLink } = await import("#scripts/lib/local-sign-in.ts");
  return createLocalSignInLink(flags.persistTo, origin, siteVars(flags, devVars)["OWNER_EMAIL"]);
}

/** Runs `wrangler dev` until it ends, and then ends this process. */
async function serve(): Promise<never> {
  const config = await copyBuild(join(root, ".wrangler", "serving", String(flags.port)), true);
  const args = serveArgs(config, flags, devVars);
  const node = ["--no-warnings", "--import", join(root, "scripts", "lib", "end-with-parent.mjs")];
  const server = spawn(process.execPath, [...node, wranglerProgram, ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...WITHOUT_LOCATION, ...process.env },
  });
  let stopped = false;
  // Ctrl+C in a terminal reaches the server directly.
  process.on("SIGINT", () => {
    stopped = true;
  });
  process.on("SIGTERM", () => {
    stopped = true;
    server.kill("SIGTERM");
  });
  // Loads Drizzle, so it runs while Wrangler starts. The server opens the database at the first request.
  const link = createLink();
  const onReady = async () => {
    const signInLink = await link;
    console.log(`  Ready     in ${(performance.now() / 1_000).toFixed(1)} s`);
    printAddresses(origin, signInLink);
    startLocalCron(origin);
  };
  const output = followOutput(server, { verbose: flags.verbose, onReady });
  const code = await new Promise<number | null>((resolve) => server.on("close", resolve));
  if (stopped) process.exit(0);
  console.error(`\n${output().trim()}\n\nThe server stopped unexpectedly; see its messages above.`);
  process.exit(code || 1);
}
