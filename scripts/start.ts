import "#scripts/lib/end-with-parent.ts";
import { once } from "node:events";
import { join } from "node:path";
import { root } from "#scripts/lib/commands.ts";
import { migrate } from "#scripts/lib/local-database.ts";
import { announce, printStep, reserve } from "#scripts/lib/local-server.ts";
import { build, copyBuild, serve } from "#scripts/lib/local-site.ts";
import { LOCAL_OWNER, localVars, readDevVars } from "#scripts/lib/local-vars.ts";
import { persistToOption, readOptions, refuse, type Usage } from "#scripts/lib/options.ts";

const usage = {
  command: "npm start",
  summary: "Serves the production build on this machine. Builds first if anything changed since the last build.",
  options: {
    port: { type: "number", description: "the port to listen on", default: 8787 },
    "persist-to": persistToOption,
    var: { type: "list", value: "NAME:value", description: "sets a variable of the site; can be repeated" },
    verbose: { type: "boolean", description: "shows all output of Wrangler, and every request" },
  },
  passesTo: "wrangler dev",
} as const satisfies Usage;

const { values, rest } = readOptions(usage);
const { port, "persist-to": persistTo, verbose } = values;
const isHttps = /--local-protocol[= ]https\b/.test(rest.join(" "));
const origin = `${isHttps ? "https" : "http"}://localhost:${port}`;
const defaults = { ...localVars(port), SITE_URL: origin, OWNER_EMAIL: LOCAL_OWNER };
const site = { origin, port, persistTo, vars: { ...defaults, ...readDevVars() } };
try {
  for (const pair of values.var) Object.assign(site.vars, readVar(pair));
  await reserve(site);
} catch (error) {
  refuse(usage, error);
}

await printStep("Build", async () => ((await build()) ? null : "up to date"));
await printStep("Migrate", async () => (migrate(persistTo) > 0 ? null : "up to date"));
const config = await copyBuild(join(root, ".wrangler", "serving", String(port)), defaults, true);
const args = [...values.var.flatMap((pair) => ["--var", pair]), ...rest];
const server = serve(
  { config, port, persistTo, args },
  {
    execArgv: ["--no-warnings", "--import", join(import.meta.dirname, "lib", "end-with-parent.ts")],
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

function readVar(pair: string): Record<string, string> {
  const colon = pair.indexOf(":");
  if (colon < 1) throw new Error(`--var ${pair} must have the form NAME:value.`);
  return { [pair.slice(0, colon)]: pair.slice(colon + 1) };
}
