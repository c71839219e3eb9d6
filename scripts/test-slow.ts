// Runs the slow tests, which `npm test` leaves out. The last lines list the failures and the totals.
import { runTests } from "#scripts/lib/test-runs.ts";

await runTests("slow");
