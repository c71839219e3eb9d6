// Format, lint, types and dead code.
import { runChecks } from "#scripts/lib/checks.ts";

const { failed } = await runChecks();
process.exit(failed === 0 ? 0 : 1);
