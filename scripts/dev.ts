import "#scripts/lib/end-with-parent.ts";
import { mustRun } from "#scripts/lib/commands.ts";
import { migrate } from "#scripts/lib/local-database.ts";
import { announce, printStep, reserve } from "#scripts/lib/local-server.ts";
import { WITHOUT_LOCATION } from "#scripts/lib/local-site.ts";
import { LOCAL_OWNER, localVars, readDevVars } from "#scripts/lib/local-vars.ts";
import { persistToOption, readOptions, refuse, type Usage } from "#scripts/lib/options.ts";

const usage = {
  command: "npm run dev",
  summary: "Serves the site with hot reload, on the same local database as npm start.",
  options: {
    port: { type: "number", description: "the port to listen on", default: 5173 },
    "persist-to": persistToOption,
  },
  passesTo: "react-router dev",
} as const satisfies Usage;

const { values, rest } = readOptions(usage);
const { port, "persist-to": persistTo } = values;
const vars = { ...localVars(port), OWNER_EMAIL: LOCAL_OWNER, ...readDevVars() };
const site = { origin: `http://localhost:${port}`, port, persistTo, vars };
await reserve(site).catch((error) => refuse(usage, error));

await printStep("Migrate", async () => (migrate(persistTo) > 0 ? null : "up to date"));
await announce(site);
const env = { ...WITHOUT_LOCATION, ...process.env, DEV_PORT: String(port), DEV_PERSIST_TO: persistTo };
await mustRun("The development server", "react-router", ["dev", ...rest], { stdio: "inherit", env });
