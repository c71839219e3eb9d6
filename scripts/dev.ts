import "#scripts/lib/end-with-parent.mjs";
import { mustRun } from "#scripts/lib/commands.ts";
import { lockDatabase } from "#scripts/lib/database-lock.ts";
import { readDevVars } from "#scripts/lib/dev-vars.ts";
import { startLocalCron } from "#scripts/lib/local-cron.ts";
import { createLocalSignInLink } from "#scripts/lib/local-sign-in.ts";
import { describeInvalidVars, migrate, siteVars, WITHOUT_LOCATION } from "#scripts/lib/local-site.ts";
import { LOCAL_OWNER } from "#scripts/lib/local-vars.ts";
import { persistToOption, readOptions, refuse, type Usage } from "#scripts/lib/options.ts";
import { printAddresses, printStep } from "#scripts/lib/steps.ts";
import { requirePort } from "#scripts/lib/wrangler-flags.ts";

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
const origin = `http://localhost:${port}`;
const vars = { OWNER_EMAIL: LOCAL_OWNER, ...siteVars({ port, vars: {} }, readDevVars()) };
const problem = describeInvalidVars(vars);
if (problem !== null) refuse(usage, problem);
try {
  requirePort(port);
  lockDatabase(persistTo, origin);
} catch (error) {
  refuse(usage, error instanceof Error ? error.message : String(error));
}

await printStep("Migrate", async () => ((await migrate(persistTo)) > 0 ? null : "up to date"));
printAddresses(origin, await createLocalSignInLink(persistTo, origin, vars.OWNER_EMAIL));
startLocalCron(origin);
const env = { ...WITHOUT_LOCATION, ...process.env, DEV_PORT: String(port), DEV_PERSIST_TO: persistTo };
await mustRun("The development server", "react-router", ["dev", ...rest], { stdio: "inherit", env });
