import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { root } from "#scripts/lib/commands.ts";

const {
  dependencies,
  devDependencies,
}: Record<"dependencies" | "devDependencies", Record<string, string>> = JSON.parse(
  readFileSync(`${root}/package.json`, "utf8"),
);
const direct = Object.keys({ ...dependencies, ...devDependencies });

test("npm makes a bill of materials that holds every direct dependency and all licences", () => {
  const args = ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application"];
  const { stdout } = spawnSync("npm", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  const { components }: { components: { "bom-ref": string; licenses?: unknown[] }[] } = JSON.parse(stdout);
  const names = new Set(components.map((component) => component["bom-ref"].replace(/@[^@]*$/, "")));
  expect(direct.filter((name) => !names.has(name) && !names.has(aliasOf(name)))).toEqual([]);
  expect(components.filter(({ licenses }) => !licenses?.length)).toEqual([]);
});

function aliasOf(name: string): string {
  return /^npm:(\S+)@/.exec(devDependencies[name] ?? "")?.[1] ?? name;
}
