import { readOptions } from "#scripts/lib/options.ts";
import { runTests } from "#scripts/lib/test-runs.ts";

readOptions({
  command: "npm run test:slow",
  summary: "Runs the tests that npm test leaves out. The last lines list the failures and the totals.",
  options: {},
});

await runTests("slow");
