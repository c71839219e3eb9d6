import "#scripts/lib/end-with-parent.mjs";
import { mustRun } from "#scripts/lib/commands.ts";
import { migrate } from "#scripts/lib/local-database.ts";
import { announce, printStep, reserve } from "#scripts/lib/local-server.ts";
import { WITHOUT_LOCATION } from "#scripts/lib/local-site.ts";
import { LOCAL_OWNER, localVars, readDevVars } from "#scripts/lib/local-vars.ts";
import { program, text, wholeNumber } from "#scripts/lib/program.ts";

const command = program(
  "npm run dev",
  "Serves the site with hot reload, on the same local database as npm start. All other options go to react-router dev.",
)
  .option("--port <number>", "the port to listen on", wholeNumber, 5173)
  .option("--persist-to <folder>", "the folder of the local database", text, ".wrangler/state")
  .allowUnknownOption()
  .allowExcessArguments()
  .parse();
if (command.args.some((arg) => arg.startsWith("--local-protocol")))
  command.error("npm run dev serves http only. For https: npm start -- --local-protocol https");
const { port, persistTo } = command.opts<{ port: number; persistTo: string }>();
const vars = { ...localVars(port), OWNER_EMAIL: LOCAL_OWNER, ...readDevVars() };
const site = { origin: `http://localhost:${port}`, port, persistTo, vars };
await reserve(site).catch(({ message }: Error) => command.error(message));

await printStep("Migrate", async () => (migrate(persistTo) > 0 ? null : "up to date"));
await announce(site);
const env = { ...WITHOUT_LOCATION, ...process.env, DEV_PORT: String(port), DEV_PERSIST_TO: persistTo };
await mustRun("The development server", "react-router", ["dev", ...command.args], { stdio: "inherit", env });
