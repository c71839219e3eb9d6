import { rebuild } from "#scripts/lib/local-site.ts";
import { readOptions } from "#scripts/lib/options.ts";

const { rest } = readOptions({
  command: "npm run build",
  summary: "Makes the production build that npm start serves and npm run deploy uploads.",
  options: {},
  passesTo: "react-router build",
});

await rebuild(rest, { stdio: "inherit" });
