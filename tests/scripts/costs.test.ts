import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { growthTable } from "#scripts/bench/growth-costs.ts";
import { costTable } from "#scripts/bench/letter-costs.ts";
import { markdownTable } from "#scripts/bench/report.ts";
import { root } from "#scripts/lib/commands.ts";

test.each([
  ["docs/letters.md", costTable],
  ["docs/scaling.md", growthTable],
])("%s has the costs that npm run bench prints", (path, costs) => {
  const page = readFileSync(join(root, path), "utf8");
  const [, table] = /<!-- costs:start -->\n([\s\S]*)\n<!-- costs:end -->/.exec(page) ?? [];
  expect(table).toBe(markdownTable(costs()));
});
