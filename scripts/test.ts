// Runs the static checks and the quick tests. The last lines list the failures and the totals.
import { runChecks } from "#scripts/lib/checks.ts";
import { runTests } from "#scripts/lib/test-runs.ts";

await runTests("quick", async () => ({ ...(await runChecks()), skipped: 0 }));
