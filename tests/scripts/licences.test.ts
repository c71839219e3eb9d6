import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "#scripts/lib/commands.ts";

/** What a bundle of the build contains, as Vite lists it. */
function packagesIn(bundle: "client" | "server"): { name: string; licence: string }[] {
  const list: { name: string; identifier: string }[] = JSON.parse(
    readFileSync(join(root, "build", bundle, "licences.json"), "utf8"),
  );
  return list.map(({ name, identifier }) => ({ name, licence: identifier }));
}

/** Licences that only require their text to be included. */
const approved = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "Unlicense"];

test.each(["client", "server"] as const)("every package in the %s's bundle has an approved licence", (bundle) => {
  expect(packagesIn(bundle).filter(({ licence }) => !approved.includes(licence))).toEqual([]);
});

test("the build lists the packages of the browser and the Worker, and no tools", () => {
  const [client, server] = (["client", "server"] as const).map((bundle) => packagesIn(bundle).map(({ name }) => name));
  expect(client).toContain("react");
  expect(client).not.toContain("hono");
  expect(server).toEqual(expect.arrayContaining(["react", "hono"]));
  for (const tool of ["vite", "wrangler", "vitest", "fast-check"]) expect([client, server].flat()).not.toContain(tool);
});
