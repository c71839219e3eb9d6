import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PRODUCTION_LIST, productionList, productionPackages } from "#scripts/lib/production-packages.ts";

test("the list of production dependencies matches the last build (npm run generate:licences updates it)", () => {
  expect(readFileSync(PRODUCTION_LIST, "utf8")).toBe(productionList(productionPackages()));
});

/** Licences that only require their text to be included. */
const approved = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "OFL-1.1", "Unlicense"];

test("every production dependency has an approved licence", () => {
  expect(productionPackages().filter(({ licence }) => !approved.includes(licence))).toEqual([]);
});

test("it lists the packages of the browser and the Worker, and no tools", () => {
  const packages = new Map(productionPackages().map(({ name, runsIn }) => [name, runsIn]));
  expect(packages.get("react")).toEqual(["browser", "Worker"]);
  expect(packages.get("hono")).toEqual(["Worker"]);
  for (const tool of ["vite", "wrangler", "vitest", "fast-check"]) expect(packages.has(tool)).toBe(false);
});
