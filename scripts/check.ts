import { runChecks } from "#scripts/lib/checks.ts";
import { readOptions } from "#scripts/lib/options.ts";

readOptions({
  command: "npm run check",
  summary: "Runs the static checks: format, lint, types, imports, dead code and configuration docs.",
  options: {},
});

const { failed } = await runChecks();
process.exit(failed.length === 0 ? 0 : 1);
