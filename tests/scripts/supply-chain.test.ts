import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "#scripts/lib/commands.ts";

interface Locked {
  os?: string | string[];
  cpu?: string | string[];
  license?: string;
  hasInstallScript?: true;
}

const read = (path: string) => readFileSync(join(root, path), "utf8");
const { dependencies, devDependencies, optionalDependencies, allowScripts } = JSON.parse(read("package.json"));
const versions: Record<string, string> = { ...dependencies, ...devDependencies, ...optionalDependencies };
const lock: { packages: Record<string, Locked> } = JSON.parse(read("package-lock.json"));

test("every direct dependency is documented with its licence and why it is there", () => {
  const rows = [...read("docs/dependencies.md").matchAll(/^\| (?!package |--- )(\S+) \| (.+?) \| (.+?) \|$/gm)];
  const documented = rows.map(([, name, licence, reason]) => [name, licence, (reason ?? "").length > 3]);
  const licence = (name: string) => lock.packages[`node_modules/${name}`]?.license ?? "not stated";
  expect(documented).toEqual(Object.keys(versions).map((name) => [name, licence(name), true]));
});

test("versions are exact", () => {
  for (const version of Object.values(versions)) expect(version).toMatch(/^(npm:\S+@)?\d[\w.-]*$/);
});

test("actions of workflows are pinned to commits, with their versions behind them", () => {
  const text = readdirSync(join(root, ".github/workflows")).map((name) => read(`.github/workflows/${name}`));
  const used = text.join("\n").match(/\buses:.*/g) ?? [];
  expect(used).not.toEqual([]);
  for (const action of used) expect(action).toMatch(/^uses: [\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
});

// npm leaves an optional package out of the lock file if its version does not exist.
test("the lock file holds Node 24 and its hash for Linux and macOS, on x64 and arm64", () => {
  const nodes = Object.keys(optionalDependencies).map((name) => lock.packages[`node_modules/${name}`]);
  const platforms = nodes.map((node) => [node?.os, node?.cpu].flat().join(" "));
  expect(platforms.toSorted()).toEqual(["darwin arm64", "darwin x64", "linux arm64", "linux x64"]);
  for (const node of nodes)
    expect(node).toMatchObject({
      version: expect.stringMatching(/^24\./),
      integrity: expect.stringMatching(/^sha512-/),
    });
});

test("no package may run a script when it is installed", () => {
  const withScript = Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = new Set(withScript.map(([path]) => path.replace(/^.*node_modules\//, "")));
  expect([...names].toSorted()).toEqual(Object.keys(allowScripts).toSorted());
  expect(Object.values(allowScripts)).not.toContain(true);
});
