// Serves the site with hot reload, on the same local database as `npm start`. Flags go to `react-router dev`.
import { mustRun } from "#scripts/lib/commands.ts";
import { readDevVars } from "#scripts/lib/dev-vars.ts";
import { describeInvalidVars, migrate, siteVars } from "#scripts/lib/local-site.ts";
import { DEV_PORT } from "#scripts/lib/local-vars.ts";

const problem = describeInvalidVars(siteVars({ port: DEV_PORT, vars: {} }, readDevVars()));
if (problem !== null) {
  console.error(problem);
  process.exit(2);
}
await migrate(".wrangler/state");
await mustRun("The development server", "react-router", ["dev", ...process.argv.slice(2)], { stdio: "inherit" });
