// The production build, as `npm start` serves it and Wrangler deploys it.
import { mustRun } from "#scripts/lib/commands.ts";

await mustRun("The build", "react-router", ["build", ...process.argv.slice(2)], { stdio: "inherit" });
