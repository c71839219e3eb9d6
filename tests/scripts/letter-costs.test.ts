import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { costTable } from "#scripts/bench/letters/costs.ts";
import { root } from "#scripts/lib/commands.ts";

test("docs/letters.md has the costs that npm run bench:letters prints", () => {
  const page = readFileSync(join(root, "docs/letters.md"), "utf8");
  const [, table] = /<!-- costs:start -->\n([\s\S]*)\n<!-- costs:end -->/.exec(page) ?? [];
  expect(table).toBe(costTable());
});
