import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { root } from "#scripts/lib/commands.ts";

test("npm makes a bill of materials that holds every direct dependency and all licences", () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
  const versions: Record<string, string> = { ...dependencies, ...devDependencies };
  const direct = Object.entries(versions).map(([name, version]) => /^npm:(\S+)@/.exec(version)?.[1] ?? name);
  const args = ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application"];
  const { stdout } = spawnSync("npm", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  const { components }: { components: { "bom-ref": string; licenses?: unknown[] }[] } = JSON.parse(stdout);
  const names = components.map((component) => component["bom-ref"].replace(/@[^@]*$/, ""));
  expect(direct.filter((name) => !names.includes(name))).toEqual([]);
  expect(components.filter(({ licenses }) => !licenses?.length)).toEqual([]);
});
