import { readOptions } from "#scripts/lib/options.ts";
import { runTests } from "#scripts/lib/test-runs.ts";

readOptions({
  command: "npm run test:slow",
  summary: "Runs the slow tests, and all tests in the browser. The last lines list the failures and the totals.",
  options: {},
});

await runTests("slow");
