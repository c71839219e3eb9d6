// Serves the production build on this machine. Flags go to `wrangler dev`.
import { spawn } from "node:child_process";
import { join, relative } from "node:path";
import { root } from "#scripts/lib/commands.ts";
import { readDevVars } from "#scripts/lib/dev-vars.ts";
import { build, copyBuild, describeInvalidVars, migrate, serveArgs, siteVars } from "#scripts/lib/local-site.ts";
import { isPortTaken } from "#scripts/lib/ports.ts";
import { readWranglerFlags, type WranglerFlags } from "#scripts/lib/wrangler-flags.ts";

const flags = await readFlags().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(2);
});
await migrate(flags.persistTo);
await build();
await serve(flags);

/** @throws {Error} with a message for the terminal, before anything is changed */
async function readFlags(): Promise<WranglerFlags> {
  const parsed = readWranglerFlags(process.argv.slice(2));
  const problem = describeInvalidVars(siteVars(parsed, readDevVars()));
  if (problem !== null) throw new Error(problem);
  if (await isPortTaken(parsed.port)) {
    throw new Error(`Port ${parsed.port} is in use. Choose another: npm start -- --port ${parsed.port + 1}`);
  }
  return parsed;
}

async function serve(wranglerFlags: WranglerFlags): Promise<void> {
  const { port } = wranglerFlags;
  const folder = join(root, ".wrangler", "serving", String(port));
  const server = spawn("wrangler", serveArgs(await copyBuild(folder), wranglerFlags, readDevVars()), {
    cwd: root,
    stdio: ["inherit", "pipe", "inherit"],
  });
  let announced = false;
  server.stdout.on("data", (chunk: Buffer) => {
    process.stdout.write(chunk);
    if (!announced && chunk.includes("Ready on")) {
      announced = true;
      announce(port, relative(root, folder));
    }
  });
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => server.kill("SIGTERM"));
  await new Promise((resolve) => server.on("close", resolve));
  process.exit(server.exitCode ?? 0);
}

function announce(port: number, folder: string): void {
  console.log(`
  Stallwright   http://localhost:${port}
  Sent emails   http://localhost:${port}/cdn-cgi/local/explorer (Email), and as files in ${folder}/server/.wrangler/tmp/email
  Run the cron  curl "http://localhost:${port}/cdn-cgi/local/scheduled?cron=*/5+*+*+*+*"
  Stop          Ctrl+C
`);
}
