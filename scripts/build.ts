// Makes the production build that `npm start` serves and Wrangler deploys.
import { mustRun } from "#scripts/lib/commands.ts";

await mustRun("The build", "react-router", ["build", ...process.argv.slice(2)], { stdio: "inherit" });
