// Runs the static checks: format, lint, types, imports, dead code and configuration docs.
import { runChecks } from "#scripts/lib/checks.ts";

const { failed } = await runChecks();
process.exit(failed.length === 0 ? 0 : 1);
