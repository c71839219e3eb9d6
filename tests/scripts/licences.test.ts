import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "#scripts/lib/commands.ts";

/** Licences that only require their text to be included. */
const approved = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "Unlicense"];

test.each([
  ["client", ["react"]],
  ["server", ["react", "hono"]],
])("every package in the %s's bundle has an approved licence, and no tool is among them", (bundle, some) => {
  const file = join(root, "build", bundle, "licences.json");
  const packages: { name: string; identifier: string }[] = JSON.parse(readFileSync(file, "utf8"));
  const names = packages.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(some));
  for (const tool of ["vite", "wrangler", "vitest", "fast-check"]) expect(names).not.toContain(tool);
  expect(packages.filter(({ identifier }) => !approved.includes(identifier))).toEqual([]);
});
