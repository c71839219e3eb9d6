import { appendFileSync, cpSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "#scripts/lib/commands.ts";
import { fingerprint } from "#scripts/lib/fingerprint.ts";
import { temporaryFolder } from "#tests/support/temporary-folder.ts";

test("what a build is made from makes another one necessary, and nothing else does", () => {
  const folder = temporaryFolder();
  const folders = ["app", "worker", "public", "scripts", "vite", "docs", "migrations"];
  const files = ["README.md", "package.json", "package-lock.json", "wrangler.toml", "tsconfig.json"];
  for (const name of [...folders, ...files, "react-router.config.ts", "vite.config.ts"]) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  const at = (path: string) => join(folder, path);
  function expectChange(isNecessary: boolean, what: string, change: () => void): void {
    const before = fingerprint(folder);
    change();
    expect([what, fingerprint(folder) !== before]).toEqual([what, isNecessary]);
  }

  const config = readFileSync(join(root, "vite.config.ts"), "utf8");
  const imported = Array.from(config.matchAll(/from "\.\/(.+)"/g), ([, path = ""]) => path);
  expect(imported.length).toBeGreaterThan(0);
  const sources = ["app/site.ts", "app/ui/base.css", "worker/index.ts", "public/_headers", "vite.config.ts"];
  for (const path of [...sources, "package-lock.json", "wrangler.toml", ...imported, "app/new.ts", ".env.production"])
    expectChange(true, path, () => appendFileSync(at(path), "\n"));
  for (const path of ["README.md", "docs/README.md", "scripts/start.ts"])
    expectChange(false, path, () => appendFileSync(at(path), "\n"));
  expectChange(true, "a new name", () => renameSync(at("app/root.tsx"), at("app/other.tsx")));
});
