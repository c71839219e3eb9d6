import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { root } from "#scripts/lib/commands.ts";
import { isInstalled } from "#scripts/lib/install.mjs";

const wanted = {
  packages: {
    "": { version: "1.0.0" },
    "node_modules/a": { version: "1.0.0", integrity: "sha512-a" },
    "node_modules/other-platform": { version: "1.0.0", integrity: "sha512-o", optional: true },
  },
};
const a = { version: "1.0.0", integrity: "sha512-a" };

test("packages for other platforms may be missing", () => {
  expect(isInstalled(wanted, { packages: { "node_modules/a": a } })).toBe(true);
});

test.each([
  ["a package is missing", {}],
  ["a version differs", { "node_modules/a": { ...a, version: "1.0.1" } }],
  ["a hash differs", { "node_modules/a": { ...a, integrity: "sha512-b" } }],
  ["there is an extra package", { "node_modules/a": a, "node_modules/b": a }],
])("%s: not installed", (_what, packages) => expect(isInstalled(wanted, { packages })).toBe(false));

test("installed packages without Node: the error names the command that installs it", () => {
  const folder = mkdtempSync(join(tmpdir(), "waitlist-site-install-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(root, "scripts"), join(folder, "scripts"), { recursive: true });
  mkdirSync(join(folder, "node_modules"));
  for (const file of ["package-lock.json", "node_modules/.package-lock.json"]) {
    writeFileSync(join(folder, file), JSON.stringify(wanted));
  }
  const { status, stdout, stderr } = spawnSync("node", ["scripts/run.mjs", "start"], { cwd: folder, encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toContain("npm ci --include=optional");
});

test("on Windows, one sentence names WSL, and nothing is installed or started", () => {
  const windows = 'data:text/javascript,Object.defineProperty(process, "platform", { value: "win32" })';
  const args = ["--import", windows, "scripts/run.mjs", "start"];
  const { status, stdout, stderr } = spawnSync("node", args, { cwd: root, encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(/^[^\n]*WSL[^\n]*\n$/);
});
