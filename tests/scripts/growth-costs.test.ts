import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { growthTable } from "#scripts/bench/growth-costs.ts";
import { markdownTable } from "#scripts/bench/report.ts";
import { root } from "#scripts/lib/commands.ts";

test("docs/scaling.md has the costs that npm run bench prints", () => {
  const page = readFileSync(join(root, "docs/scaling.md"), "utf8");
  const [, table] = /<!-- costs:start -->\n([\s\S]*)\n<!-- costs:end -->/.exec(page) ?? [];
  expect(table).toBe(markdownTable(growthTable()));
});
