import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "#scripts/lib/commands.ts";

const folder = mkdtempSync(join(tmpdir(), "waitlist-site-install-"));
const a = { version: "1.0.0", integrity: "sha512-a" };
const wanted = { "": {}, "node_modules/a": a, "node_modules/other-platform": { ...a, optional: true } };

beforeAll(() => {
  mkdirSync(join(folder, "node_modules", ".bin"), { recursive: true });
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages: wanted }));
  writeFileSync(join(folder, "npm"), '#!/bin/sh\necho "npm $1"\nexit 1\n', { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the script with these packages installed, and with an npm that fails. */
function install(packages: Record<string, unknown>, options: string[] = []) {
  writeFileSync(join(folder, "node_modules", ".package-lock.json"), JSON.stringify({ packages }));
  const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}` };
  return spawnSync("node", [...options, join(root, "scripts", "install.mjs")], { cwd: folder, env, encoding: "utf8" });
}

test.each([
  ["a package is missing", {}],
  ["a version differs", { "node_modules/a": { ...a, version: "1.0.1" } }],
  ["a hash differs", { "node_modules/a": { ...a, integrity: "sha512-b" } }],
  ["there is an extra package", { "node_modules/a": a, "node_modules/b": a }],
])("%s: it runs npm ci, and fails with it", (_what, packages) => {
  const { status, stderr } = install(packages);
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/npm ci\n\nnpm ci failed/) });
});

test("packages for other platforms may be missing; without Node, the error names the command that installs it", () => {
  const { status, stdout, stderr } = install({ "node_modules/a": a });
  expect({ status, stdout }).toEqual({ status: 1, stdout: "  Install   up to date\n" });
  expect(stderr).toContain("npm ci --include=optional");
  writeFileSync(join(folder, "node_modules", ".bin", "node"), "");
  expect(install({ "node_modules/a": a })).toMatchObject({ status: 0, stderr: "" });
});

test("on Windows, one sentence names WSL, and nothing is installed", () => {
  const windows = 'data:text/javascript,Object.defineProperty(process, "platform", { value: "win32" })';
  const { status, stdout, stderr } = install({}, ["--import", windows]);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(/^[^\n]*WSL[^\n]*\n$/);
});
