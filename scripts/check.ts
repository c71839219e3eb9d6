// Format, lint, types and dead code.
import { runChecks } from "#scripts/lib/checks.ts";

const { failed } = await runChecks();
process.exit(failed.length === 0 ? 0 : 1);
