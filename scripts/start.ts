import "#scripts/lib/end-with-parent.mjs";
import { once } from "node:events";
import { join } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { isLoopback } from "#app/server/http/public-host.server.ts";
import { root } from "#scripts/lib/commands.ts";
import { migrate } from "#scripts/lib/local-database.ts";
import { announce, printStep, reserve } from "#scripts/lib/local-server.ts";
import { build, copyBuild, serve } from "#scripts/lib/local-site.ts";
import { LOCAL_OWNER, localVars, readDevVars } from "#scripts/lib/local-vars.ts";
import { program, text, wholeNumber } from "#scripts/lib/program.ts";

const command = program(
  "npm start",
  `Serves the production build on this machine. Builds first if anything changed since the last build.
All other options go to wrangler dev.`,
)
  .option("--port <number>", "the port to listen on", wholeNumber, 8787)
  .addOption(new Option("--local-protocol <name>", "https uses a self-signed certificate").choices(["http", "https"]))
  .option("--persist-to <folder>", "the folder of the local database", text, ".wrangler/state")
  .option("--var <NAME:value>", "a variable of the site; can be repeated", readVar)
  .option("--verbose", "show all output of Wrangler, and every request")
  .allowUnknownOption()
  .allowExcessArguments()
  .parse();
type Options = {
  port: number;
  localProtocol?: string;
  persistTo: string;
  var?: Record<string, string>;
  verbose?: true;
};
const { port, localProtocol, persistTo, var: given, verbose } = command.opts<Options>();
const own = { ...readDevVars(), ...given };
const ownUrl = URL.parse(own["SITE_URL"] ?? "");
const isHere = ownUrl !== null && isLoopback(ownUrl) && ownUrl.port === String(port);
const protocol = localProtocol ?? (isHere && ownUrl.protocol === "https:" ? "https" : "http");
if (isHere && ownUrl.protocol !== `${protocol}:`)
  command.error(`SITE_URL is ${ownUrl.origin}, but --local-protocol is ${protocol}. Change one of them.`);
const vars = { ...localVars(port, protocol), OWNER_EMAIL: LOCAL_OWNER, ...own };
const site = { origin: `${protocol}://localhost:${port}`, port, persistTo, vars };
await reserve(site).catch(({ message }: Error) => command.error(message));

await printStep("Build", async () => ((await build()) ? null : "up to date"));
await printStep("Migrate", async () => (migrate(persistTo) > 0 ? null : "up to date"));
const config = await copyBuild(join(root, ".wrangler", "serving", String(port)), vars);
/** Modules that Wrangler's process loads first. */
const preloads = [
  import.meta.resolve("#scripts/lib/end-with-parent.mjs"),
  import.meta.resolve("#scripts/lib/end-with-runtime.mjs"),
];
const server = serve(
  { config, port, https: protocol === "https", persistTo, args: command.args },
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

/** Adds a variable to those of former options. */
function readVar(pair: string, former?: Record<string, string>): Record<string, string> {
  const [, name, value] = /^([^:]+):(.*)$/s.exec(pair) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError("It must have the form NAME:value.");
  return { ...former, [name]: value };
}
