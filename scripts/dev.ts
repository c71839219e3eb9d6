// Serves the site with hot reload, on the same local database as `npm start`. Flags go to `react-router dev`.
import { mustRun } from "#scripts/lib/commands.ts";
import { migrate } from "#scripts/lib/local-site.ts";

await migrate(".wrangler/state");
await mustRun("The development server", "react-router", ["dev", ...process.argv.slice(2)], { stdio: "inherit" });
