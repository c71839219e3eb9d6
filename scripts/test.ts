import { readOptions } from "#scripts/lib/options.ts";
import { runTests } from "#scripts/lib/test-runs.ts";

readOptions({
  command: "npm test",
  summary: "Runs the static checks and the quick tests. The last lines list the failures and the totals.",
  options: {},
});

await runTests("quick");
