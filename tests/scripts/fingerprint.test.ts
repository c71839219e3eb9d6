import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "#scripts/lib/commands.ts";
import { fingerprint } from "#scripts/lib/fingerprint.ts";

const folder = mkdtempSync(join(tmpdir(), "waitlist-site-fingerprint-"));
const sources = ["app", "worker", "public", "scripts", "vite", "docs", "migrations", "README.md"];
const configs = ["package.json", "package-lock.json", "wrangler.toml", "tsconfig.json"];
const tools = ["react-router.config.ts", "vite.config.ts"];
let before: string;

beforeAll(() => {
  for (const name of [...sources, ...configs, ...tools]) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  before = fingerprint(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  "app/site.ts",
  "app/ui/base.css",
  "worker/index.ts",
  "public/_headers",
  "package-lock.json",
  "wrangler.toml",
  "vite.config.ts",
  "scripts/lib/local-vars.ts",
  "vite/palette-plugin.ts",
])("a change of %s changes the fingerprint until it is undone", (path) => {
  const file = join(folder, path);
  const content = readFileSync(file);
  appendFileSync(file, "\n");
  expect(fingerprint(folder)).not.toBe(before);
  writeFileSync(file, content);
  expect(fingerprint(folder)).toBe(before);
});

test("a new, renamed or deleted file changes it, and so does an environment file of Vite", () => {
  for (const path of ["app/new.ts", "public/.well-known/new", ".env", ".env.production"]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), "");
    expect([path, fingerprint(folder) === before]).toEqual([path, false]);
    rmSync(join(folder, path));
  }
  renameSync(join(folder, "app/root.tsx"), join(folder, "app/other.tsx"));
  expect(fingerprint(folder)).not.toBe(before);
  renameSync(join(folder, "app/other.tsx"), join(folder, "app/root.tsx"));
  expect(fingerprint(folder)).toBe(before);
});

test.each(["README.md", "docs/README.md", "scripts/start.ts"])("a change of %s changes nothing", (path) => {
  appendFileSync(join(folder, path), "\n");
  expect(fingerprint(folder)).toBe(before);
});

test("it contains every project file that vite.config.ts imports", () => {
  const config = readFileSync(join(root, "vite.config.ts"), "utf8");
  const imports = Array.from(config.matchAll(/from "\.\/(.+)"/g), ([, path]) => path ?? "");
  expect(imports.length).toBeGreaterThan(0);
  for (const path of imports) {
    appendFileSync(join(folder, path), "\n");
    const after = fingerprint(folder);
    expect([path, after === before]).toEqual([path, false]);
    before = after;
  }
});
