import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { costTable } from "#scripts/bench/letter-costs.ts";
import { markdownTable } from "#scripts/bench/report.ts";
import { root } from "#scripts/lib/commands.ts";

test("docs/letters.md has the costs that npm run bench prints", () => {
  const page = readFileSync(join(root, "docs/letters.md"), "utf8");
  const [, table] = /<!-- costs:start -->\n([\s\S]*)\n<!-- costs:end -->/.exec(page) ?? [];
  expect(table).toBe(markdownTable(costTable()));
});
