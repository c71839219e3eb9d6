import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { root } from "#scripts/lib/commands.ts";

type Versions = Record<string, string>;

const manifest: {
  dependencies: Versions;
  devDependencies: Versions;
  optionalDependencies: Versions;
  allowScripts: Record<string, boolean>;
} = readJson("package.json");
const versions = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };

interface Locked {
  version: string;
  integrity?: string;
  os?: string | string[];
  cpu?: string | string[];
  license?: string;
  hasInstallScript?: true;
}

const lock: { packages: Record<string, Locked> } = readJson("package-lock.json");

test("every direct dependency is documented with its licence and why it is there", () => {
  const page = readFileSync(`${root}/docs/dependencies.md`, "utf8");
  const rows = [...page.matchAll(/^\| (\S+) \| (.+?) \| (.+?) \|$/gm)].filter(
    ([, name]) => !/^(package|---)$/.test(name ?? ""),
  );
  const documented = rows.map(([, name, licence, reason]) => [name, licence, (reason ?? "").length > 3]);
  const licence = (name: string) => lock.packages[`node_modules/${name}`]?.license ?? "not stated";
  expect(documented).toEqual(Object.keys(versions).map((name) => [name, licence(name), true]));
});

test("versions are exact", () => {
  for (const version of Object.values(versions)) expect(version).toMatch(/^(npm:\S+@)?\d[\w.-]*$/);
});

test("actions of workflows are pinned to commits, with their versions behind them", () => {
  const folder = `${root}/.github/workflows`;
  const text = readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, "utf8"));
  const used = text.join("\n").match(/\buses:.*/g) ?? [];
  expect(used).not.toEqual([]);
  for (const action of used) expect(action).toMatch(/^uses: [\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
});

// npm leaves an optional package out of the lock file if its version does not exist.
test("the lock file holds Node 24 and its hash for Linux and macOS, on x64 and arm64", () => {
  const nodes = Object.keys(manifest.optionalDependencies).map((name) => lock.packages[`node_modules/${name}`]);
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
  expect([...names].toSorted()).toEqual(Object.keys(manifest.allowScripts).toSorted());
  expect(Object.values(manifest.allowScripts)).not.toContain(true);
});

function readJson(path: string) {
  return JSON.parse(readFileSync(`${root}/${path}`, "utf8"));
}
