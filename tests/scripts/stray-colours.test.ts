import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "#scripts/lib/commands.ts";
import { temporaryFolder } from "#tests/support/temporary-folder.ts";

const stray = {
  "a.css": [
    ".a { color: #1f6f5c }",
    ":root { --edge: #fff }",
    ".b { box-shadow: 0 0 2px rgb(1 2 3 / 0.5) }",
    ".c { color: color-mix(in srgb, var(--ink) 75%, var(--paper)) }",
    ".d { background: white }",
    '.e { background: url("data:image/svg+xml,fill=%23abc") }',
  ],
  "a.tsx": [
    'export const a = <path stroke="#f4b95a" />;',
    'export const b = <path fill="gold" />;',
    "export const c = `body { color: rgb(1, 2, 3) }`;",
  ],
};

const clean = {
  "b.css": [
    ".gold { fill: var(--gold); color: currentColor; white-space: nowrap }",
    ".a { box-shadow: 0 -8px 24px -12px rgb(0 0 0 / 0.35) }",
  ],
  "b.tsx": [
    'import { site } from "#app/site.ts";',
    'export const a = <Stall hue="gold" href="#main" className="green" />;',
  ],
};

test("Biome reports every line with a colour of its own, and no other", () => {
  const folder = temporaryFolder();
  const plugins = ["css-colours", "script-colours"].map((name) => join(root, "scripts", "lint", `${name}.grit`));
  writeFileSync(join(folder, "biome.json"), JSON.stringify({ plugins, linter: { rules: { preset: "none" } } }));
  for (const [name, lines] of Object.entries({ ...stray, ...clean })) {
    writeFileSync(join(folder, name), lines.join("\n"));
  }
  const { stdout } = spawnSync("biome", ["lint", "--reporter=github", "."], { cwd: folder, encoding: "utf8" });
  const reported = stdout.matchAll(/\/(\w\.\w+),line=(\d+)/g).map(([, name, line]) => `${name}:${line}`);
  const all = Object.entries(stray).flatMap(([name, lines]) => lines.map((_, index) => `${name}:${index + 1}`));
  expect([...new Set(reported)].toSorted()).toEqual(all);
});
