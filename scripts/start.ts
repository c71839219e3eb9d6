// Serves the production build on this machine. Flags go to `wrangler dev`.
import { spawn } from "node:child_process";
import { join, relative } from "node:path";
import { root } from "#scripts/lib/commands.ts";
import { build, copyBuild, migrate, refusal, serveArgs, siteVars } from "#scripts/lib/local-site.ts";
import { isPortTaken } from "#scripts/lib/ports.ts";
import { readWranglerFlags, type WranglerFlags } from "#scripts/lib/wrangler-flags.ts";

const flags = await readFlags().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(2);
});
await migrate(flags.persistTo);
await build();
await serve(flags);

/** @throws with a sentence for the terminal, before anything has been done */
async function readFlags(): Promise<WranglerFlags> {
  const read = readWranglerFlags(process.argv.slice(2));
  const problem = refusal(siteVars(read));
  if (problem !== null) throw new Error(problem);
  if (await isPortTaken(read.port)) {
    throw new Error(`Port ${read.port} is in use. Choose another: npm start -- --port ${read.port + 1}`);
  }
  return read;
}

async function serve(given: WranglerFlags): Promise<void> {
  const folder = join(root, ".wrangler", "serving", String(given.port));
  const server = spawn("wrangler", serveArgs(await copyBuild(folder), given), {
    cwd: root,
    stdio: ["inherit", "pipe", "inherit"],
  });
  let announced = false;
  server.stdout.on("data", (chunk: Buffer) => {
    process.stdout.write(chunk);
    if (!announced && chunk.includes("Ready on")) {
      announced = true;
      announce(given.port, relative(root, folder));
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
  Sent mail     http://localhost:${port}/cdn-cgi/local/explorer (Email), and as files under ${folder}/server/.wrangler/tmp/email
  Sweep         curl "http://localhost:${port}/cdn-cgi/local/scheduled?cron=*/5+*+*+*+*"
  Stop          Ctrl+C
`);
}
