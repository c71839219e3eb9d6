import "#scripts/lib/end-with-parent.mjs";
import { once } from "node:events";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "#scripts/lib/commands.ts";
import { migrate } from "#scripts/lib/local-database.ts";
import { announce, printStep, reserve } from "#scripts/lib/local-server.ts";
import { build, copyBuild, serve } from "#scripts/lib/local-site.ts";
import { LOCAL_OWNER, localVars, readDevVars } from "#scripts/lib/local-vars.ts";
import { program, text, wholeNumber } from "#scripts/lib/program.ts";

const command = program(
  "npm start",
  `Serves the production build on this machine. Builds first if anything changed since the last build.
All other options go to wrangler dev: --var NAME:value sets a variable of the site, and can be repeated.`,
)
  .option("--port <number>", "the port to listen on", wholeNumber, 8787)
  .option("--persist-to <folder>", "the folder of the local database", text, ".wrangler/state")
  .option("--verbose", "show all output of Wrangler, and every request")
  .allowUnknownOption()
  .allowExcessArguments()
  .parse();
const { port, persistTo, verbose } = command.opts<{ port: number; persistTo: string; verbose?: true }>();
const rest = command.args;
const vars = { ...localVars(port), OWNER_EMAIL: LOCAL_OWNER, ...readDevVars() };
const site = { origin: `http://localhost:${port}`, port, persistTo, vars };
try {
  Object.assign(vars, ...readVars(rest));
  await reserve(site);
} catch (error) {
  command.error((error as Error).message);
}

await printStep("Build", async () => ((await build()) ? null : "up to date"));
await printStep("Migrate", async () => (migrate(persistTo) > 0 ? null : "up to date"));
const config = await copyBuild(join(root, ".wrangler", "serving", String(port)), vars);
/** Modules that Wrangler's process loads first. */
const preloads = [
  import.meta.resolve("#scripts/lib/end-with-parent.mjs"),
  import.meta.resolve("#scripts/lib/end-with-runtime.mjs"),
];
const server = serve(
  { config, port, persistTo, args: rest },
  {
    execArgv: ["--no-warnings", ...preloads.flatMap((module) => ["--import", module])],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: {
      // Halves the time that Wrangler takes to load.
      NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "node"),
      // Errors that the Worker logs or throws are shown in any case.
      ...(verbose ? {} : { WRANGLER_LOG: "error" }),
    },
  },
);
server.once("message", async () => {
  console.log(`  Ready     in ${(performance.now() / 1_000).toFixed(1)} s`);
  await announce(site);
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
const [code] = await once(server, "exit");
if (stopped) process.exit(0);
console.error("The server stopped unexpectedly; see its messages above.");
process.exit(code || 1);

/** The variables in arguments of `wrangler dev`. */
function readVars(args: string[]): Record<string, string>[] {
  const { values } = parseArgs({ args, strict: false, options: { var: { type: "string", multiple: true } } });
  return (values.var ?? []).map((pair) => {
    const [, name, value] = /^([^:]+):(.*)$/s.exec(String(pair)) ?? [];
    if (name === undefined || value === undefined) throw new Error(`--var ${pair} must have the form NAME:value.`);
    return { [name]: value };
  });
}
