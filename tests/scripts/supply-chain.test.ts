import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { root } from "#scripts/lib/commands.ts";

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
  license: string;
}

const manifest: Manifest = readJson("package.json");
const direct = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)];

test("every direct dependency is documented with its licence and why it is there", () => {
  const page = readFileSync(`${root}/docs/dependencies.md`, "utf8");
  const rows = [...page.matchAll(/^\| (\S+) \| (.+?) \| (.+?) \|$/gm)].filter(
    ([, name]) => !/^(package|---)$/.test(name ?? ""),
  );
  const documented = rows.map(([, name, licence, reason]) => [name, licence, (reason ?? "").length > 3]);
  const installed = direct.map((name) => [name, readJson(`node_modules/${name}/package.json`).license, true]);
  expect(documented).toEqual(installed);
});

test("versions are exact", () => {
  const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
  for (const version of versions) expect(version).toMatch(/^(npm:\S+@)?\d[\w.-]*$/);
});

test("no package but node may run a script when it is installed", () => {
  const lock: { packages: Record<string, { hasInstallScript?: true }> } = readJson("package-lock.json");
  const withScript = Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = new Set(withScript.map(([path]) => path.replace(/^.*node_modules\//, "")));
  expect([...names].toSorted()).toEqual(Object.keys(manifest.allowScripts).toSorted());
  expect(Object.entries(manifest.allowScripts).filter(([, allowed]) => allowed)).toEqual([["node", true]]);
});

function readJson(path: string) {
  return JSON.parse(readFileSync(`${root}/${path}`, "utf8"));
}
